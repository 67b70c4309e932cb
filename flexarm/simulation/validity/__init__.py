"""How far the model is good in given states: measures of the links, and the segments that these ask for."""
