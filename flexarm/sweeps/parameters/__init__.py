"""What a sweep varies: keys of the description, designs of points, arms with replaced numbers."""
