"""Integrators of y' = f(t, y, p) behind one interface: `base.start`."""
