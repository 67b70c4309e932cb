"""Zero dynamics: which zeros an arm with a prescribed motion has, and which parts of the motion grow along them."""
