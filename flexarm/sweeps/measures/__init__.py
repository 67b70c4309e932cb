"""What a sweep records of each run: quantities, scalar measures, settling times."""
