"""What a number of the description changes: numbers of the model, of contacts, the initial state, instants of jumps."""
