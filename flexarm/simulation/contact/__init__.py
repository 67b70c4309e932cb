"""Unilateral contacts: gap functions, impacts, active sets, event-driven integration."""
