"""Numbers of segments that a motion asks for, by short trial runs."""
