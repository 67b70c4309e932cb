"""Measured runs: what their columns are, and what the arm does in their place."""
