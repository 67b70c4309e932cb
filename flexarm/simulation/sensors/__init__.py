"""Sensors: what can be measured of an arm in motion, as expressions."""
