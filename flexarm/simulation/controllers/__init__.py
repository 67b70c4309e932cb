"""Controllers as expressions: the blocks that they are, and the signals of an arm's controllers together."""
