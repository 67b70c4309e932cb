"""Mutated URDF texts are read, or refused in words."""

import random
import re

import pytest
from breadth import thinned
from paths import ROBOTS
from urdf.small_robots import SKEW

from flexarm import import_urdf
from flexarm.errors import FlexarmError

pytest.importorskip("yourdfpy", reason="yourdfpy is not installed")

TEXTS = (SKEW, (ROBOTS / "urdf" / "slide_arm.urdf").read_text())
PIECE = re.compile(r'"[^"]*"|<[^>]*>|[\w.+-]+')
WORDS = (
    "", "0", "-1", "1e300", "1e-300", "nan", "1 2 3", "0 0 0", "one", "tool", "floating", "prismatic", "&#10;", '"',
    "<", "</robot>", '<link name="x"/>', "<mimic/>", "<inertial/>", "<limit/>", "<axis/>", "<parent/>", "<!-- ",
)  # fmt: skip


def mutated(text, source):
    for _ in range(source.randint(1, 3)):
        pieces = list(PIECE.finditer(text))
        place = source.choice(pieces)
        new = source.choice((*WORDS, source.choice(pieces)[0]))
        text = text[: place.start()] + new + text[place.end() :]
    return text


@pytest.mark.parametrize("seed", thinned(range(4), every=4))
def test_mutations_are_read_or_refused_in_words(tmp_path, seed):
    source, path, read = random.Random(seed), tmp_path / "robot.urdf", 0
    words = []
    for _ in range(120):
        text = mutated(source.choice(TEXTS), source)
        path.write_text(text)
        flexible = source.choice(((), ("forearm",), ("one", "three")))
        try:
            import_urdf(path, flexible=flexible, EI=100.0 if flexible else None)
            read += 1
        except FlexarmError as error:
            words.append(str(error))
        except Exception as error:
            raise AssertionError(text) from error
    assert not [said for said in words if not said.strip() or "yourdfpy" in said]
    assert 0 < read < 120
