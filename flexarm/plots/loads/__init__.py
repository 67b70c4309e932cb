"""Pictures of loads and stress along the arm, and of their cycles."""
