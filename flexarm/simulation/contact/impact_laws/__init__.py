"""Impact laws with Coulomb friction, as functions of the Delassus matrix, speeds, friction and restitution."""
