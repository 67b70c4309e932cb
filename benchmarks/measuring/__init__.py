"""What the scripts of this folder share: who measured, how often, and tables."""
