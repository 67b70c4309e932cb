"""Load carrying capacity: the largest load on a trajectory under the bounds of drives, path and strength."""
