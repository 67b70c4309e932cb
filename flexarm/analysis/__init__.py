"""Small motions about a posture: natural modes, static equilibrium, linear state-space models."""
