"""Entry point of the command `flexarm`: Ctrl-C and SIGTERM are reported in one line from the first moment on."""

from __future__ import annotations

import gc
import os
import sys
import time

from flexarm.cli.terminal.signals import INTERRUPTED, INTERRUPTION, signals

NEW_OBJECTS = 300_000
"""After so many Python looks for unreachable ones: all that is loaded stays, and to look through it takes a while."""

SPARED = {"PYDANTIC_DISABLE_PLUGINS": "__all__", "OPENBLAS_NUM_THREADS": "1"}
"""Settings that spare what costs time at the start and serves nothing here: pydantic's search for plugins in all
installed packages, and NumPy's threads for large matrices."""

process_start: float | None = None
"""When this process began [s since the epoch], before anything of the package was loaded that computes; None where
another program calls a command."""


def run() -> None:
    """Load the command line and run it; SIGTERM ends it like Ctrl-C, so that nothing half written stays."""
    global process_start
    process_start = time.time()
    signals.end_process()
    gc.set_threshold(NEW_OBJECTS)
    for name, value in SPARED.items():
        os.environ.setdefault(name, value)
    # loaded here so that a signal meanwhile is told
    from flexarm.cli.terminal.stages import stages
    from flexarm.cli.terminal.streams import tolerate_streams

    tolerate_streams()
    stages.watch()
    from flexarm.cli.main import main

    try:
        signals.raise_interruption()
        main()
    except KeyboardInterrupt:
        signals.ignore()
        sys.stderr.write(INTERRUPTION)
        sys.exit(INTERRUPTED)
    finally:
        signals.ignore()
        gc.freeze()  # or else Python looks through all that is loaded once more before it ends
