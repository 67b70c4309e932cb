"""The classical Runge-Kutta method of order 4 with a fixed step."""
