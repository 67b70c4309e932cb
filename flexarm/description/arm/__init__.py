"""Arm: links, joints, loads, walls, and the consistency of these parts."""
