"""Applied forces and functions of time, as expressions."""
