"""Loads of a run: forces and moments in sections, the largest of them, stress and fatigue."""
