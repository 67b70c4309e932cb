"""DOP853 that hands over to Radau IIA where stability bounds its steps: one integration, or up to events."""
