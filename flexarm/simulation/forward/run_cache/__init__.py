"""Runs that an earlier process has derived: their keys, and what is stored of them."""
