"""Rooms below this folder find the helpers in it."""
