"""Shared parts of compiled integrators: kernels as object code, native calls, time slices."""
