"""Inverse kinematics and dynamics along a trajectory, and load carrying capacity."""
