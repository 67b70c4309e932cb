"""Where the command `flexarm` starts: Ctrl-C while the program is still being loaded is told in one line too."""

from __future__ import annotations

import sys

INTERRUPTED = 3
"""As after any computation that did not come to its end; `flexarm.errors` may not be loaded yet."""


def run() -> None:
    """Load the command line and run it."""
    try:
        from flexarm.cli.main import main

        main()
    except KeyboardInterrupt:
        sys.stderr.write("flexarm: error: interrupted; nothing was written\n")
        sys.exit(INTERRUPTED)
