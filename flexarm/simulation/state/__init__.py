"""The state equation of an arm, its initial state, and what is recorded of it."""
