"""Pages about fits: what stands in them, and that a browser shows it without asking for anything."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from measured_rig import fitted
from test_report_page import Reader

import flexarm
from flexarm.errors import ResultError
from flexarm.plots.diagrams.fits import fit_figures
from flexarm.reports import fit_page as module
from flexarm.reports.fit_page import fit_page

COMMAND = "flexarm identify rig.yaml --fit 'links[0].EI'"


def found():
    return replace(fitted(), command=COMMAND)


@cache
def text():
    """The page, with pictures of the fitted run alone."""
    return fit_page(replace(found(), checks=()))


def test_everything_about_a_fit_is_in_its_page():
    reader, fit = Reader(text()), replace(found(), checks=())
    images = reader.all("img")
    assert len(images) == len(fit_figures(fit)) == 3
    assert all(image["src"].startswith("data:image/png;") and image["alt"] for image in images)
    anchors = {attributes["id"] for attributes in reader.all("section")}
    assert {link["href"] for link in reader.all("a")} == {f"#{anchor}" for anchor in anchors}
    for words in (
        "fit of 3 unknowns to 1002 measured values", "complete", "N\u00a0m^2", "known by themselves: links[0].EI",
        "run 1", COMMAND, flexarm.__version__, "numpy", np.__version__,
        "Correlations of the unknowns.",
    ):  # fmt: skip
        assert words in reader.text, words
    for row in fit.unknown_rows[1:]:
        assert all(cell in reader.text for cell in row)
    assert all(line in reader.text for line in (*fit.remarks, *fit.cautions))


def test_the_share_of_each_run_is_that_of_its_own_columns(monkeypatch):
    monkeypatch.setattr(module, "fit_figures", lambda found: {})
    fit = found()
    fit = replace(fit, runs=(*fit.runs, fit.checks[0][0]))
    words = fit_page(fit)
    assert "all runs" in words
    assert "Runs held back" in words
    for run in fit.runs:
        for c in range(2):
            left = run.measured[:, c] - run.simulated[:, c]
            assert f"{100 * (1 - (left**2).mean() / run.measured[:, c].var()):.5g} %" in words


def test_the_browser_shows_the_page_and_asks_for_nothing(browser, tmp_path):
    path = tmp_path / "fit.html"
    path.write_text(text(), encoding="utf-8")
    for width in (400, 1400):
        browser.open(path, width=width)
        browser.drawn()
        widths = browser.value("[...document.images].map((image) => image.naturalWidth)")
        assert len(widths) == 3
        assert min(widths) > 0
        assert (
            browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        )
        assert [name for name in browser.requests if not name.startswith("data:")] == [path.as_uri()]
        assert browser.complaints == []


def test_methods_draw_and_write(tmp_path, monkeypatch):
    fit, path = found(), tmp_path / "fit.html"
    monkeypatch.setattr(module, "fit_figures", lambda found: {})
    assert fit.report(path) == path
    assert flexarm.report(fit, path, overwrite=True) == path
    with pytest.raises(ResultError, match="overwrite"):
        fit.report(path)
    assert "correlations" in fit.plot("correlations").get_suptitle()
    with pytest.raises(ResultError, match="no picture 'tip'"):
        fit.plot("tip")


def test_what_is_not_known_is_said(monkeypatch):
    """Of a fit of a frequency, which has no columns and tells only how two unknowns act together."""
    monkeypatch.setattr(module, "fit_figures", lambda found: {})
    fit = replace(
        found(), runs=(), columns=(), checks=(), modes=(("frequency 1", 1.8, 1.83, 0.01),), command="<b>evil</b>",
        known=np.array([False, False, True]), remarks=("only links[0].EI/gear is known, none of them by itself",),
    )  # fmt: skip
    reader = Reader(fit_page(fit))
    assert "not known by themselves: links[0].EI, joints[0].motor.gear" in reader.text
    assert "only links[0].EI/gear is known" in reader.text
    assert "3 errors" in reader.text
    assert reader.text.count("<b>evil</b>") == 1
    assert not reader.all("b")
    assert "frequency 1" in reader.text
    assert "Whiteness" not in reader.text
