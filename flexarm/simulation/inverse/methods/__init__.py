"""Methods of inverse dynamics: stable, causal and rigid inversion."""
