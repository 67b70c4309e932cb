"""Equations of motion with active contacts as constraints: derived, and as machine code."""
