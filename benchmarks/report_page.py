"""Size of a report, and how long a browser takes from its address to the arm on the screen.

A spatial arm of three links, 10 s in samples of 1 ms, in headless Chromium without a graphics card. Targets: 2 s, 3 MB.
Wall time, which other work on the machine prolongs; the first opening is that of a browser that has opened no page
before. Processor time of the page's own thread, without the process that draws in the place of a graphics card.
Run: python benchmarks/report_page.py
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from measuring.machine import heading
from measuring.table import print_table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "reports"))

from browser import EXECUTABLE, Browser
from plots.simulated import simulated

from flexarm.reports.report import page

ARM, SECONDS = "spatial_three_link", 10.0
BROWSERS, OPENINGS = 5, 3


def openings(path):
    """Wall and processor seconds of the first and of further openings of a page in one new browser."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(Path(folder))
        try:
            browser.call("Performance.enable", timeDomain="threadTicks")
            taken = []
            for _ in range(OPENINGS):
                begin = time.perf_counter()
                browser.open(path)
                browser.drawn()
                wall = time.perf_counter() - begin
                metrics = browser.call("Performance.getMetrics")["metrics"]
                busy = next(one["value"] for one in metrics if one["name"] == "TaskDuration")
                taken.append((wall, busy))
                if browser.complaints or not browser.value("spaceView !== null"):
                    raise RuntimeError(f"the page does not work: {browser.complaints}")
            return taken
        finally:
            browser.close()


def main():
    if EXECUTABLE is None:
        print("no chromium to open the page in")
        return
    print(f"{heading('flexarm')}; medians of {BROWSERS} browsers")
    result = simulated(ARM, SECONDS)
    begin = time.perf_counter()
    text = page(result)
    written = time.perf_counter() - begin
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(text, encoding="utf-8")
        measured = [openings(path) for _ in range(BROWSERS)]
        size = path.stat().st_size
    print_table(
        (f"{ARM}, {SECONDS:g} s", ""),
        [("size of the page", f"{size / 1e6:.2f} MB"), ("to make it", f"{written:.1f} s")],
    )
    first, further = [taken[0] for taken in measured], [one for taken in measured for one in taken[1:]]
    rows = [
        (label, *(f"{statistics.median(column):.2f}" for column in zip(*taken, strict=True)))
        for label, taken in (("first opening", first), ("further ones", further))
    ]
    print_table(("", "wall s", "processor s"), rows)


if __name__ == "__main__":
    main()
