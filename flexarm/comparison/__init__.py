"""Formulations against each other: agreement, cost scaling, published operation counts."""
