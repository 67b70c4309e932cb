"""What pictures draw with: style, scales, views of the arm, walls, long runs thinned, files."""
