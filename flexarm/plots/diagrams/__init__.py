"""Diagrams over frequency, rate, cost and sensitivity, and of fits."""
