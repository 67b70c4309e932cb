"""Radau IIA of order 5, implicit and L-stable: one integration, or with dense steps for events."""
