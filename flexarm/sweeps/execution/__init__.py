"""Execution of a sweep: chunks, workers, checkpoints."""
