"""What happens at the instants of sampled sensors and controllers of a run."""
