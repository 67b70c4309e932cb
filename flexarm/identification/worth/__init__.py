"""What a fit is worth: certainty of the unknowns, what is left over, runs held back; and its result."""
