"""How the points of a sweep are computed: chunks, workers, checkpoints."""
