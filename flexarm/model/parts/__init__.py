"""Parts of a chain: joints and their springs, rigid bodies, a floating base, what hangs on the end of a link."""
