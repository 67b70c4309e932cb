"""Pictures of floating bases."""
