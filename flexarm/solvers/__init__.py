"""Integrators of y' = f(t, y, p) behind one interface, event location, linear complementarity and collocation."""
