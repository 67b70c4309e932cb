"""Robots from URDF: the chain to a tip as a description of an arm."""
