"""Closed-form equations as text, LaTeX, a Python module or JSON."""
