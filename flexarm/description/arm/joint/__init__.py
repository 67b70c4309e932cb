"""One joint: its kind, place, motor, spring and limits, and the words for it."""
