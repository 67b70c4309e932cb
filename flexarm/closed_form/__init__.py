"""Chain -> readable closed forms of the equations of motion, as text, LaTeX, Python or JSON."""
