"""Animation of a result: frames of the bent arm, and the files that hold them."""
