"""Linear equations of Radau IIA, compiled: reduced by the structure q' = v, then factorised, real and complex."""
