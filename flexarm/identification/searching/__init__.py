"""The problem of least squares, and its search."""
