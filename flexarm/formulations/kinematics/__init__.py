"""Kinematics that the formulations share: rotations, frames, velocities, accelerations."""
