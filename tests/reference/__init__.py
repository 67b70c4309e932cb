"""A slow, readable twin of the package's equations of motion: energies by quadrature, derivatives by AD."""
