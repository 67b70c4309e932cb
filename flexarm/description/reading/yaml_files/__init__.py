"""YAML files: their text as plain values with lines, shorthands written out, within bounds."""
