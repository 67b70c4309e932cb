"""What is measured of small motions, and what the arm has in its place."""
