"""Cost of a run: what it will take, why, and what would help; said of one that takes long."""
