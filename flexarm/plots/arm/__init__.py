"""Pictures of the arm itself: over time, at rest, in its modes."""
