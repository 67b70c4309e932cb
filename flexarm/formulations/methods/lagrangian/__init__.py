"""Recursive Lagrangian formulation, [BK83]."""
