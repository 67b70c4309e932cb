"""Records of each run of a sweep: quantities, scalar measures, settling times."""
