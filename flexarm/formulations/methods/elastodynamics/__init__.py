"""Elastodynamics of acceleration energy, [NA04]."""
