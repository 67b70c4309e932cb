"""Size of a report, and how long a browser takes from its address to the arm on the screen.

A spatial arm of three links, 10 s in samples of 1 ms, in headless Chromium without a graphics card. Targets: 2 s, 3 MB.
Wall time, which other work on the machine prolongs; the first opening is that of a browser that has opened no page
before. Processor time of the page's own thread, without the process that draws in the place of a graphics card.

Run: python benchmarks/report_page.py [--quick]
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import SpeedRow, print_speed_rows, print_table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "reports"))

from browser import EXECUTABLE, Browser
from plots.simulated import simulated

from flexarm.reports.report import page

ARM, SECONDS = "spatial_three_link", 10.0
BROWSERS, OPENINGS = 5, 3
ROWS = {
    "first opening": "report of 10 s of an arm of three links, in a new Chromium without a graphics card",
    "further ones": "the same, opened again",
}
QUICK_SECONDS, QUICK_BROWSERS = 0.5, 1
TARGET_SECONDS, TARGET_SIZE = 2.0, 3e6  # bytes


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
    quick = is_quick(__doc__)
    seconds, browsers = (QUICK_SECONDS, QUICK_BROWSERS) if quick else (SECONDS, BROWSERS)
    print(f"{heading('flexarm', quick=quick)}; medians of {browsers} browsers")
    if EXECUTABLE is None:
        print(
            "left out: there is no Chromium to open the page in (chromium, chromium-browser or google-chrome)"
        )
        return
    result = simulated(ARM, seconds)
    begin = time.perf_counter()
    text = page(result)
    written = time.perf_counter() - begin
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(text, encoding="utf-8")
        measured = [openings(path) for _ in range(browsers)]
        size = path.stat().st_size
    print(f"page of {ARM}, {seconds:g} s: {size / 1e6:.2f} MB, {size / TARGET_SIZE:.2f} of its target; "
          f"{written:.1f} s to make")  # fmt: skip
    first, further = [taken[0] for taken in measured], [one for taken in measured for one in taken[1:]]
    rows, speed = [], []
    for label, taken in (("first opening", first), ("further ones", further)):
        wall, busy = (statistics.median(column) for column in zip(*taken, strict=True))
        speed.append(SpeedRow(ROWS[label], wall))
        rows.append((label, f"{wall / TARGET_SECONDS:.2f}", f"{wall:.2f}", f"{busy:.2f}"))
    print_table(("", "of its target", "wall s", "processor s"), rows)
    print_speed_rows(__file__, speed)


if __name__ == "__main__":
    main()
