"""Check of a description before a run, and limits of validity of the model during one."""
