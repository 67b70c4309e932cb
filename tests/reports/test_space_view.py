"""The view in space in a real browser: what it draws, and that its controls do what they say."""

import io
import re

import numpy as np
import pytest
from breadth import thinned
from PIL import Image
from plots.simulated import changed, simulated

from flexarm.formulations.motion_equations import motion_equations
from flexarm.plots.animation.interpolation import postures
from flexarm.plots.arm.arm_shapes import bent
from flexarm.reports import page_sections
from flexarm.reports.report import page

CANVAS, TIME, MAGNIFICATION = "#space-view canvas", '[data-part="time"]', '[data-part="magnification"]'
ARROW_RIGHT, ARROW_UP, SPACE = ("ArrowRight", 39), ("ArrowUp", 38), (" ", 32, " ")
SINGLE = 1e-5
"""What single precision of the coordinates may cost, 30 times magnified [m]."""
ENOUGH = 300
"""Pixels that differ when something in a picture has moved."""


@pytest.fixture
def opened(browser, tmp_path, monkeypatch):
    """Open the page about a result, without its other pictures."""
    monkeypatch.setattr(page_sections, "standard_figures", lambda result: {})

    def open_page(result, **window):
        path = tmp_path / "page.html"
        path.write_text(page(result), encoding="utf-8")
        browser.open(path, **window)
        return browser

    yield open_page
    assert browser.complaints == []


def shown(browser, selector=CANVAS):
    """Picture of an element as numbers, (height, width, 3)."""
    with Image.open(io.BytesIO(browser.picture(selector))) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def differs(one, other):
    """Number of pixels whose colour differs so that it can be seen."""
    return int((np.abs(one - other).max(axis=2) > 30).sum())


def focus(browser, selector):
    browser.value(f"document.querySelector('{selector}').focus()")


@pytest.mark.parametrize(
    "name", thinned(["spatial_three_link", "usoro_two_link", "flying_beam", "soft_pendulum"], every=4)
)
def test_the_browser_bends_the_arm_as_animations_do(opened, name):
    result = simulated(name)
    browser = opened(result)
    starts = browser.value("spaceView.view.motion.data.starts")
    times = np.array(browser.value("[...spaceView.view.motion.times]"))
    theta, equations = postures(result, times), motion_equations(result.arm)
    for factor in (0.0, 1.0, 30.0):
        for k in (0, len(times) // 3, len(times) - 1):
            drawn = browser.value(f"[...spaceView.view.motion.positions({times[k]}, {factor})]")
            points = np.reshape(drawn, (-1, 3))
            for link in range(len(result.arm.links)):
                count = starts[link + 1] - starts[link]
                expected = bent(equations, theta[[k]], factor, stations=count)[0, link]
                np.testing.assert_allclose(points[starts[link] : starts[link + 1]], expected, atol=SINGLE)


@pytest.mark.parametrize("name", thinned(["spatial_three_link", "space_arm", "flexible_pendulum"]))
def test_the_sliders_change_the_picture(opened, name):
    browser = opened(simulated(name, 1.0))
    first = shown(browser)
    focus(browser, TIME)
    for _ in range(3):
        browser.press("PageUp", 33)
    later = shown(browser)
    assert differs(first, later) > ENOUGH
    clock = float(re.search(r"t = (\S+) s", browser.value("spaceView.player.find('clock').value"))[1])
    assert clock == pytest.approx(browser.value("spaceView.view.time"), abs=1e-3)
    assert 0.1 < clock < 0.5
    assert browser.value(f"document.querySelector('{TIME}').getAttribute('aria-valuetext')").endswith(" s")

    focus(browser, MAGNIFICATION)
    browser.press("End", 35)
    assert browser.value("spaceView.view.magnification") == 1000
    assert browser.value("spaceView.player.find('factor').value") == "1000 times larger"
    assert differs(later, shown(browser)) > ENOUGH
    browser.press("Home", 36)
    assert browser.value("spaceView.player.find('factor').value") == "straight links"


@pytest.mark.slow
def test_views_mouse_and_keys_turn_and_bring_nearer(opened):
    browser = opened(simulated("spatial_three_link", 1.0))
    pictures = [shown(browser)]
    for view in "zxy":
        browser.click(f'[data-view="{view}"]')
        pictures.append(shown(browser))
    browser.drag(CANVAS, 120, 60)
    pictures.append(shown(browser))
    focus(browser, CANVAS)
    for key, shift in ((ARROW_RIGHT, False), (ARROW_UP, False), (ARROW_RIGHT, True)):
        browser.press(*key, shift=shift)
        browser.press(*key, shift=shift)
        pictures.append(shown(browser))
    browser.press("+", 187, "+")
    pictures.append(shown(browser))
    browser.drag(CANVAS, 80, 0, button="right")
    pictures.append(shown(browser))
    for k, one in enumerate(pictures):
        for other in pictures[:k]:
            assert differs(one, other) > ENOUGH
    browser.click('[data-view="space"]')
    assert differs(pictures[0], shown(browser)) == 0


def test_the_wheel_scrolls_the_page_until_the_view_is_chosen(opened):
    browser = opened(simulated("spatial_three_link"), height=600)
    distance = "spaceView.view.camera.camera.position.length()"
    before = browser.value(distance)
    browser.wheel(CANVAS, -240)
    browser.drawn()
    assert browser.value(distance) == before
    browser.click(CANVAS)
    browser.wheel(CANVAS, -240)
    browser.value("new Promise((done) => setTimeout(done, 100))")
    assert browser.value(distance) < before


def test_fingers_turn_the_arm(opened):
    browser = opened(simulated("spatial_three_link"), width=390, height=800, touch=True)
    before = shown(browser)
    x, y = browser.middle(CANVAS)
    for kind, dx in (("touchStart", 0), ("touchMove", 30), ("touchMove", 80)):
        browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x + dx, "y": y}])
    browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    assert differs(before, shown(browser)) > ENOUGH


def test_playing_and_stopping(opened):
    browser = opened(simulated("usoro_two_link", 1.0))
    slow, quick = "(spaceView.player.speed = 0.001)", "(spaceView.player.speed = 100)"
    browser.value(slow)  # so that no machine is too slow to see it move
    browser.click('[data-part="play"]')
    assert browser.value("spaceView.player.playButton.textContent") == "Pause"
    assert browser.value(
        "new Promise((done) => { const look = () => spaceView.view.time > 0 ? done(true) : "
        "requestAnimationFrame(look); look(); })"
    )
    focus(browser, CANVAS)
    browser.press(*SPACE)
    stopped = browser.value("[spaceView.view.time, spaceView.player.playButton.textContent]")
    assert stopped[1] == "Play"
    browser.drawn()
    assert browser.value("spaceView.view.time") == stopped[0] < 1.0
    # at the quickest it is at the end in a moment, and says so
    browser.value(quick)
    browser.press(*SPACE)
    assert browser.value(
        "new Promise((done) => { const look = () => spaceView.player.playing ? requestAnimationFrame(look) : "
        "done(spaceView.view.time === spaceView.view.motion.last); look(); })"
    )
    browser.value(slow)
    browser.press(*SPACE)  # and from there it begins anew
    assert browser.value("spaceView.view.time") < 1.0


def test_impacts_flash_and_stand_on_the_time_line(opened):
    result = simulated("shafei_falling_link", 0.5)
    browser = opened(result)
    marks = browser.value("document.querySelectorAll('.impacts span').length")
    assert marks == np.unique(result.impact_time).size > 0
    struck = result.impact_time[0]
    flashes = "[...spaceView.view.contacts.flashes({t}, 0.05)]"
    assert max(browser.value(flashes.format(t=struck - 1e-3))) == 0
    left = browser.value(flashes.format(t=struck + 1e-9))
    assert np.argmax(left) == result.impact_point[0] - 1
    assert max(left) > 0.99

    def flash_coloured(t):
        browser.value(f"spaceView.player.go({t})")
        return (np.abs(shown(browser) - [0xE6, 0x9F, 0x00]).max(axis=2) < 12).sum()

    assert flash_coloured(struck - 0.01) == 0
    assert flash_coloured(struck) > 100


def test_a_planar_arm_is_looked_at_along_its_normal(opened):
    browser = opened(simulated("usoro_two_link"))
    camera = browser.value("spaceView.view.camera.camera.getWorldDirection(new THREE.Vector3()).toArray()")
    np.testing.assert_allclose(camera, [0, 0, -1], atol=1e-6)
    letters = browser.value(
        "[...document.querySelectorAll('.letters span')].filter((one) => !one.hidden).map((one) => one.textContent)"
    )
    assert letters == ["x", "y", "g"]


def test_a_floating_arm_is_followed(opened):
    result = simulated("shafei_falling_link", 0.5)
    browser = opened(result)
    browser.click('[data-part="follow"]')
    browser.drawn()
    place = "spaceView.view.camera.controls.target.y"
    before = browser.value(place)
    browser.value("spaceView.player.go(0.3)")
    browser.drawn()
    height = np.interp([0, 0.3], result.time, result.base_position[:, 1])
    assert browser.value(place) - before == pytest.approx(height[1] - height[0], abs=1e-3)


def test_colours_follow_those_of_the_page(opened):
    light = shown(opened(simulated("usoro_two_link")))
    dark = shown(opened(simulated("usoro_two_link"), scheme="dark"))
    assert light[0, 0].min() > 240
    assert dark[0, 0].max() < 60


def test_one_sample_can_be_turned_but_not_played(opened):
    browser = opened(changed(simulated("usoro_two_link", 1.0), rows=slice(50, 51)))
    assert browser.value("document.querySelector('[data-part=play]')") is None
    before = shown(browser)
    focus(browser, MAGNIFICATION)
    browser.press("Home", 36)
    assert differs(before, shown(browser)) > ENOUGH
    browser.click('[data-view="x"]')
    assert browser.value("document.querySelector('section:has(.space-view)').id") == "posture"


def test_the_printed_page_has_pictures_instead(opened):
    browser = opened(simulated("usoro_two_link"))
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.value("document.querySelector('#space-view').checkVisibility()") is False
    browser.call("Emulation.setEmulatedMedia", media="screen")
    assert browser.value("document.querySelector('#space-view').checkVisibility()") is True


def test_without_webgl_or_scripts_the_page_says_so(opened):
    instead = "[document.querySelector('.instead'), document.querySelector('.stage')].map((e) => e.checkVisibility())"
    block = "HTMLCanvasElement.prototype.getContext = () => null; console.error = console.warn = () => {};"
    browser = opened(simulated("usoro_two_link"))
    assert browser.value(instead) == [False, True]
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=block)["identifier"]
    try:
        assert opened(simulated("usoro_two_link")).value(instead) == [True, False]
    finally:
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        assert opened(simulated("usoro_two_link")).value(instead) == [True, False]
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)
