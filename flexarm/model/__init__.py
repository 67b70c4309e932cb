"""Model: arm -> chain of bodies and joints, numbers and structure, which every formulation reads."""
