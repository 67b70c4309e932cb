"""Results in HDF5 files."""
