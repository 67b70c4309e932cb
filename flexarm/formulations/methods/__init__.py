"""The four formulations of the equations of motion, independent witnesses of one another."""
