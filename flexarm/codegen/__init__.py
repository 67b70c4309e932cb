"""CasADi functions as machine code, as operation counts, and as the equations of one arm."""
