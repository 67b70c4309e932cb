"""Design of feedback controllers from linear models, and how robust they are."""
