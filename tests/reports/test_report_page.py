"""Pages about results: what stands in them, and that nothing in them can do any harm."""

import itertools
import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser

import numpy as np
import pytest
from pages import falling_link
from paths import ROBOTS
from plots.simulated import changed, simulated

import flexarm
from flexarm.errors import ResultError
from flexarm.plots.registry import standard_figures
from flexarm.reports import page_sections
from flexarm.reports.report import page

VOID = {"meta", "img", "input"}
EVIL = "<script>alert('&\"')</script>"


class Reader(HTMLParser):
    """Checks that elements are closed in order, and keeps their attributes and the text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.text = [], [], ""
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data + "\n"

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@cache
def tracked(kind):
    if kind == "payload":
        return flexarm.payload(*loaded("payload_two_link", "payload_two_link"), mass=1.4)
    return flexarm.inverse(*loaded("korayem_1994_clamped", "korayem_1994"))


def loaded(arm, trajectory):
    return (
        flexarm.load_arm(ROBOTS / f"{arm}.yaml"),
        flexarm.load_trajectory(ROBOTS / "trajectories" / f"{trajectory}.yaml"),
    )


@pytest.fixture
def without_pictures(monkeypatch):
    monkeypatch.setattr(page_sections, "standard_figures", lambda result: {})
    return lambda result: Reader(page(result, animation=False))


def test_all_pictures_and_the_view_in_space_are_inside():
    result, text, reported = falling_link()
    reader = Reader(text)
    images = reader.all("img")
    assert len(images) == len(standard_figures(result))
    assert all(image["src"].startswith("data:image/png;") for image in images)
    assert all(image["alt"] for image in images)
    assert len(reader.all("canvas")) == 1
    assert "Copyright © 2010-2026 three.js authors" in reader.text  # a copy comes with its licence
    anchors = {attributes["id"] for attributes in reader.all("section")}
    assert {link["href"] for link in reader.all("a")} == {f"#{anchor}" for anchor in anchors}
    for words in (
        "shafei-falling-link", "flight result", "dop853", "1 clamped-clamped (y)", "base: planar",
        "tip at the end", "drift of the total energy", "evaluations of the equations", flexarm.__version__,
    ):  # fmt: skip
        assert words in reader.text, words
    assert reported == sorted(reported)
    assert (reported[0], round(reported[-1])) == (0, 1)


@pytest.mark.slow
def test_a_page_is_small_enough_to_be_sent():
    """Ten seconds of an arm of three links in samples of a millisecond, with all pictures."""
    assert len(page(simulated("spatial_three_link", 10.0)).encode()) < 3_000_000


def test_only_the_scripts_of_the_view_may_run():
    """The policy names them by their digest, so that whatever else got into a page would not run."""
    text = falling_link()[1]
    (policy,) = [meta["content"] for meta in Reader(text).all("meta") if "http-equiv" in meta]
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digests = [b64encode(sha256(script.encode()).digest()).decode() for script in scripts]
    assert policy.partition("script-src ")[2].split() == [f"'sha256-{digest}'" for digest in digests]
    assert len(scripts) == 2
    (data,) = re.findall(r'<script type="application/json" id="space-view-data">(.*?)</script>', text)
    assert "<" not in data


def test_nothing_is_loaded_from_elsewhere():
    reader = Reader(falling_link()[1])
    (policy,) = [meta["content"] for meta in reader.all("meta") if "http-equiv" in meta]
    assert policy.startswith("default-src 'none'")
    for _, attributes in reader.elements:
        assert not set(attributes) & {"srcset", "onload", "onerror", "style"}
        assert attributes.get("src", "data:").startswith("data:")
        assert attributes.get("href", "#").startswith("#")
    assert not re.search(r"url\(|@import|\bfetch\(|XMLHttpRequest|\beval\(|new Function", reader.text)


def test_what_users_write_is_text(without_pictures):
    result = simulated("usoro_two_link")
    facts = dict.fromkeys(("message", "command", "flexarm_version", "method", "trajectory"), EVIL)
    robot = f"# {EVIL} </pre>\n{result.attributes['robot']}"
    reader = without_pictures(changed(result, robot=robot, status="incomplete", **facts))
    assert not reader.all("script")
    assert reader.text.count(EVIL) == len(facts) + 1
    assert "incomplete" in reader.text


def test_names_with_markup_are_refused_before_they_reach_a_page():
    with pytest.raises(flexarm.SpecError, match="name"):
        flexarm.parse_arm(f"name: {json.dumps(EVIL)}\nlinks: [{{length: 1, mu: 1}}]\n")


def rows(reader):
    """Text of the page as a mapping of what stands left in a table to what stands right of it."""
    pieces = reader.text.split("\n")
    return dict(itertools.pairwise(pieces))


def test_key_numbers_are_those_of_the_result(without_pictures):
    result = simulated("usoro_two_link")
    found = rows(without_pictures(result))
    size = np.abs(result.link_deflection)
    for i in range(2):
        k = np.unravel_index(size[:, i].argmax(), size[:, i].shape)[0]
        text = found[f"link {i + 1}, largest deflection"]
        value, unit = text.split()[:2]
        factor = {"m": 1, "mm": 1e-3, "µm": 1e-6}[unit]
        assert float(value) * factor == pytest.approx(size[:, i].max(), rel=1e-3)
        assert f"t = {result.time[k]:.4g} s" in text
    low, high = result.point_position[:, -1, 0].min(), result.point_position[:, -1, 0].max()
    assert found["tip, x"] == f"{low:.4f} to {high:.4f} m"
    drift = np.abs(result.energy_total - result.energy_total[0]).max()
    assert found["drift of the total energy"].startswith(f"{drift:.1e} J")
    assert found["evaluations of the equations"] == f"{result.attributes['evaluations']}"


@pytest.mark.slow
def test_inverse_motions_tell_torques_over_the_trajectory(without_pictures):
    result = tracked("inverse")
    found = rows(without_pictures(result))
    inside = (result.time >= 0) & (result.time <= 3 * (1 + 1e-12))
    largest, rigid = (np.abs(result[name][inside, 0]).max() for name in ("torque", "rigid_torque"))
    assert found["joint 1, largest torque"].startswith(f"{largest:.4g} N m")
    assert found["joint 1, largest torque"].endswith(f"with rigid links {rigid:.4g} N m")
    assert "tip off its path, largest" in found
    assert "19.2" in found["unstable zeros"]


@pytest.mark.slow
def test_loads_tell_what_bounds_them(without_pictures):
    found = rows(without_pictures(tracked("payload")))
    assert found["load"] == "1.4 kg"
    assert found["tightest bound"].startswith("torque of joint 1, t = ")


def test_impacts_are_listed(without_pictures):
    result = simulated("shafei_falling_link", 0.5)
    reader = without_pictures(result)
    assert f"{result.impact_number.max()} impacts, the first at {result.impact_time[0]:.6f} s" in reader.text
    for time, impulse in zip(result.impact_time, result.impact_impulse, strict=True):
        assert f"{time:.6f} s" in reader.text
        assert f"{impulse:.4g} N s" in reader.text
    assert "impact" not in without_pictures(simulated("usoro_two_link")).text.lower().partition("yaml")[0]


def test_warnings_of_the_model_are_on_top(without_pictures):
    result = simulated("usoro_two_link")
    bent = changed(result, arrays={"mode_amplitude": 4000 * result.mode_amplitude})
    before_the_numbers = without_pictures(bent).text.partition("Key numbers")[0]
    assert "the model is meant for" in before_the_numbers


def test_pages_about_little(monkeypatch):
    """One sample moves nothing; no sample shows the arm and the message at least."""
    monkeypatch.setattr(page_sections, "standard_figures", lambda result: {})
    result = simulated("usoro_two_link")
    one = Reader(page(changed(result, rows=slice(0, 1), status="incomplete", message="stopped early")))
    assert "stopped early" in one.text
    assert len(one.all("canvas")) == 1
    none = Reader(page(changed(result, rows=slice(0, 0), status="incomplete", message="stopped at once")))
    assert "stopped at once" in none.text
    assert "no sample" in none.text
    assert not none.all("canvas")


def test_a_page_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    monkeypatch.setattr(page_sections, "standard_figures", lambda result: {})
    result, target = simulated("usoro_two_link"), tmp_path / "page.html"
    assert flexarm.report(result, target, animation=False) == target
    with pytest.raises(ResultError, match="overwrite"):
        flexarm.report(result, target, animation=False)

    def interrupt(fraction, t):
        raise KeyboardInterrupt

    before = target.read_text()
    with pytest.raises(KeyboardInterrupt):
        flexarm.report(result, target, overwrite=True, progress=interrupt)
    assert target.read_text() == before
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
