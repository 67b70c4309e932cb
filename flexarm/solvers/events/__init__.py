"""Event location: falling zero crossings of functions of the states of an integration, found in machine code."""
