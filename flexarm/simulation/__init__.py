"""Equations -> motion: what acts on an arm, where it starts, how it is run, and what comes out."""
