"""Break points of a motion with its derivatives: kinks, what is sampled, and instants that a number moves."""
