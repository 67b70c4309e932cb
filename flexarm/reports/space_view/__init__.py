"""View in space of a report: the arm of a result in motion, to turn, magnify and play in a browser."""
