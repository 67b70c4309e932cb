"""What the view in space is told of loads, and shows of them."""

import json

import numpy as np
import pytest
from plots.loaded import carried
from plots.simulated import simulated
from test_space_view_data import unpacked

from flexarm.plots.loads.shown_load import ShownLoad
from flexarm.reports import page_sections
from flexarm.reports.report import page
from flexarm.reports.space_view.motion_data import motion_data

SHADE = 1 / 255
"""Values are told in so many parts of the largest."""


def test_values_at_the_points_of_known_links():
    result = carried()
    data = json.loads(json.dumps(motion_data(result)))
    load, largest = data["load"], np.nanmax(result["stress_max"])
    assert load["known"] == [True, False, False]
    assert (load["what"], load["most"]) == ("stress", f"{1e-6 * largest:.3g} MPa")
    n = data["starts"][1]
    assert n > 2  # although the link is rigid
    times, values = unpacked(load["times"]), unpacked(load["values"]).reshape(-1, n)
    np.testing.assert_allclose(times, result.time, atol=1e-12)
    points = np.linspace(0, 1, n)
    for row, stress in zip(values, result["stress_max"][:, 0], strict=True):
        expected = np.interp(points, np.linspace(0, 1, 5), stress) / largest
        np.testing.assert_allclose(row * SHADE, expected, atol=SHADE)
    assert "load" not in motion_data(simulated("usoro_two_link"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_browser_colours_the_links(browser, tmp_path, monkeypatch, scheme):
    monkeypatch.setattr(page_sections, "standard_figures", lambda result: {})
    path = tmp_path / "page.html"
    path.write_text(page(carried()), encoding="utf-8")
    browser.open(path, scheme=scheme)
    browser.value("spaceView.player.go(0.1)")
    browser.drawn()
    load = ShownLoad.of(carried())
    part = load.at_times(np.array([0.1]))[0, 0, 0] / load.largest
    colours = "spaceView.view.arm.loaded.mesh.geometry.attributes.color"
    found = browser.value(f"[...{colours}.array].slice(0, 3)")
    table = browser.value("spaceView.view.load.colours.map(({ r, g, b }) => [r, g, b])")
    np.testing.assert_allclose(found, table[round(63 * round(255 * part) / 255)], atol=1e-6)
    assert (sum(table[0]) > sum(table[-1])) == (scheme == "light")  # what bears most stands out
    scale = "document.querySelector('.scale')"
    assert browser.value(f"{scale}.checkVisibility()")
    assert browser.value(f"{scale}.querySelector('.most').textContent") == f"{load.largest:.3g} MPa"
    browser.click('[data-part="load"]')
    browser.drawn()
    assert not browser.value(f"{scale}.checkVisibility()")
    plain = browser.value("Object.values(spaceView.view.arm.materials.rigid.color)")
    np.testing.assert_allclose(browser.value(f"[...{colours}.array].slice(0, 3)"), plain[-3:], atol=1e-6)
    assert browser.complaints == []
