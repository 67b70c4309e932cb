"""Pictures of sweeps: curves over one key, maps over two, parallel coordinates over more."""
