"""Shapes of a link: eigenfunctions of beams, numeric modes, their derivatives and quadrature."""
