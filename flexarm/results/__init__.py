"""Results: datasets and attributes by name, and the HDF5 files that hold them."""
