"""Gaps between points of an arm and walls: their expressions, their rates, and the forces that act there."""
