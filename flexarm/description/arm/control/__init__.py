"""Sensors of an arm, and what they are read by."""
