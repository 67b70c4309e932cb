"""Validation cases: numbers known from elsewhere, and what flexarm finds for them."""
