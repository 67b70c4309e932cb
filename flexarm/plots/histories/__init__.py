"""Pictures of quantities over time."""
