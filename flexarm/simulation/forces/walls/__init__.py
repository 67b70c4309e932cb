"""Walls and points of an arm that may touch them: gaps between them, and forces of soft walls."""
