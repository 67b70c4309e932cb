"""One whole page for all tests that look at it, drawn once."""

from functools import cache

from plots.simulated import simulated

from flexarm.reports.report import page


@cache
def falling_link():
    """Result of a link that falls on a floor, the page about it, and the fractions reported while it was drawn."""
    result, reported = simulated("shafei_falling_link", 0.35), []
    return result, page(result, progress=lambda fraction, t: reported.append(fraction)), reported
