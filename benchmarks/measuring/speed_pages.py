"""All rows of docs/speed.md measured anew, and put into it and into README.md; the date there is yours to change.

Run: make speed, on a machine that does nothing else, in whose Python all is installed that flexarm is compared with
(exudyn, pin, example-robot-data), with a Chromium; rows that are not measured stay as they are, and are named.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PAGES = (PROJECT / "docs" / "speed.md", PROJECT / "README.md")
ROW = re.compile(
    r"^\| [^|]* \| (?P<what>[^|]*) \|(?: [^|]* \| (?P<other>[^|:]*): [^|]* \|)? `(?P<script>[^`]*)` \|$"
)
"""A ratio or time, what is computed, both times, where it is measured."""


def key(row: str) -> tuple[str, str, str] | None:
    """What a row is about: what is computed, with what it is compared (without its version), by which script."""
    found = ROW.match(row)
    if found is None:
        return None
    other = re.sub(r" [\d.]+\b", "", found["other"] or "")
    return found["what"], other, found["script"]


def main() -> None:
    pages = {page: page.read_text().splitlines() for page in PAGES}
    wanted = dict.fromkeys(each for lines in pages.values() for line in lines if (each := key(line)))
    measured = {}
    for script in dict.fromkeys(script for *_, script in wanted):
        print(f"== {script}", flush=True)
        done = subprocess.run(
            [sys.executable, PROJECT / script], stdout=subprocess.PIPE, text=True, check=True
        )
        print(done.stdout, flush=True)
        measured |= {each: line for line in done.stdout.splitlines() if (each := key(line))}
    for page, lines in pages.items():
        page.write_text("".join(f"{measured.get(key(line), line)}\n" for line in lines))
    for each in wanted.keys() - measured.keys():
        print(f"not measured: {', '.join(filter(None, each))}")


if __name__ == "__main__":
    main()
