"""The terminal and the process: what is written where, progress, signals, streams that are closed or full."""
