"""Points on walls in animations: discs where they are, in the colour of what they do."""

import io

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image
from simulated import simulated

import flexarm
from flexarm.plots.animation.film import Film
from flexarm.plots.animation.scene import Scene, palette
from flexarm.plots.drawing.contact_states import STATES

ON_ARM = 1e-12  # m

ARM = """
name: arm
links: [{length: 1, mu: 1}]
initial: {joints: [20 deg]}
contact: {restitution: 0, walls: [{point: [0, 0], normal: [0, 1]}], points: [{link: 1, at: 0.55}]}
run: {duration: 1.0, sample: 0.01}
"""


def pixels(scene, k, colour):
    """Number of pixels of a frame in a colour."""
    frame = np.array(scene.frame(k)[..., :3], dtype=int)
    return int(np.sum(np.abs(frame - np.round(255 * np.array(to_rgb(colour)))).max(axis=-1) <= 1))


@pytest.mark.slow
def test_discs_say_what_a_point_does():
    result = simulated("wiping_arm", 1.0)
    film = Film.of(result, 1.0, 50.0, 1.0)
    scene, (place,) = Scene(film, 400), result.arm.contact.places(2)
    assert place.name == "O3"
    found = set()
    for k, t in enumerate(film.times):
        before = np.searchsorted(result.time, t, side="right") - 1
        state = int(result.contact_state[before, 0, 0])
        found.add(state)
        np.testing.assert_allclose(film.contacts.points[k, 0], film.arms[k, -1, -1], atol=ON_ARM)
        counts = {each: pixels(scene, k, colour) for each, _, colour in film.contacts.shown}
        least = min(counts.values())  # of the legend alone
        assert {each for each, count in counts.items() if count > 1.2 * least} == {state} - {0}
    assert len(found) == 3  # open, sliding, sticking


def test_wall_without_friction_and_place_on_a_link():
    """Nothing holds the point there: it slides; half way between two stations the disc is on the drawn line."""
    result = flexarm.simulate(flexarm.parse_arm(ARM))
    film = Film.of(result, 1.0, 25.0, 1.0)
    assert [word for _, word, _ in film.contacts.shown] == ["slides"]
    np.testing.assert_allclose(film.contacts.points[:, 0], 0.55 * film.arms[:, 0, -1], atol=ON_ARM)
    resting = film.contacts.states[:, 0] > 0
    assert not resting[0]
    assert resting[-1]


def test_arm_without_walls_has_none():
    film = Film.of(simulated("usoro_two_link"), 1.0, 25.0, 1.0)
    assert not film.contacts.shown
    assert not Scene(film, 240).figure.legends


@pytest.mark.slow
def test_gif_keeps_the_colours(tmp_path):
    result = simulated("wiping_arm", 1.0)
    path = flexarm.animate(result, tmp_path / "wiping.gif", size=240, start=0.4, stop=0.5)
    shown = Image.open(io.BytesIO(path.read_bytes())).convert("RGB")
    colour = np.round(255 * np.array(to_rgb(STATES[0][2]))).astype(int)
    assert np.any(np.all(np.array(shown) == colour, axis=-1))
    every = [colour for *_, colour in STATES]
    assert len(palette(True, every)) < 256
    assert len(palette(False, every)) < 256
