"""Convergence of a run: its error against refined descriptions, and the cheapest one that is accurate enough."""
