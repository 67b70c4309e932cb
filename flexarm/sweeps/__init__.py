"""Many runs of one arm with varied numbers, on all cores or a cluster."""
