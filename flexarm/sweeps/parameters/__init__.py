"""Parameters of a sweep: keys of the description, designs of points, arms with replaced numbers."""
