"""From results to matplotlib figures."""
