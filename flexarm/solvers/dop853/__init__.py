"""DOP853 of Dormand and Prince, of order 8: one integration, several in lanes, or with dense steps for events."""
