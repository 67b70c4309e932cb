"""From results to pages that say all about them."""
