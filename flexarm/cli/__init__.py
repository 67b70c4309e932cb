"""The command `flexarm`: each command parses its options, calls one library function and reports."""
