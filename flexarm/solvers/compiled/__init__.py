"""What compiled integrators share: kernels as object code, native calls, time slices."""
