"""Coulomb friction of walls: forces of contacts that last, and what becomes of them at events."""
