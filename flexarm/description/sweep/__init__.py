"""Sweep of an arm: the values that are varied and the quantities that are recorded."""
