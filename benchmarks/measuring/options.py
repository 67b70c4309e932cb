"""The flags of every script."""

from __future__ import annotations

import argparse


def option_parser(doc: str | None) -> argparse.ArgumentParser:
    """Parser of what every script understands; ``doc`` is the script's docstring, which --help shows."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--quick", action="store_true", help="see whether the script works: seconds in all, no measurement"
    )
    return parser


def is_quick(doc: str | None) -> bool:
    """Whether --quick is on the command line of a script without further flags."""
    return option_parser(doc).parse_args().quick
