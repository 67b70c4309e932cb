"""What commands print of results: summaries and tables."""
