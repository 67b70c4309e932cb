"""Text to validated models: YAML, JSON Schema, messages that name file, line and key."""
