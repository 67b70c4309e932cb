"""Motion of an arm: initial state, drives, run, and the trajectory that its tip or joints follow."""
