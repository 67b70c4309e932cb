"""Articulated-body algorithm for flexible links."""
