"""Dynamics that the formulations share: inertia of a link, Newton-Euler passes, energies, momentum."""
