"""Records of each run of a sweep: quantities, scalar measures, measures of vibrations."""
