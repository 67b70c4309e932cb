"""Typed values of input files: numbers with units, expressions of time, tables, profiles along a link."""
