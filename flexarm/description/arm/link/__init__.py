"""One link: length, mass, stiffness, mode shapes, damping."""
