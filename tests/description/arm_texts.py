"""Arm description that the tests of the description change line by line."""

TWO_LINK = """\
name: two-link
gravity: [0, -9.81, 0]
links:
  - length: 1.0
    mu: 5.0
    EI: 1000.0
    modes: {family: clamped-free, count: 2}
  - {length: 1.0, mu: 4.0}
joints:
  - {}
  - {type: fixed, angle: 30 deg}
payload: {mass: 1.0}
initial: {joints: [-90 deg]}
drive: [null, null]
loads: []
run: {duration: 3.0, sample: 0.01}
"""
"""One key or block per line, so that a fault's line is known."""


def changed(*changes: tuple[str, str]) -> str:
    """The text with parts of it replaced, each of which must occur."""
    text = TWO_LINK
    for old, new in changes:
        assert old in text, f"{old!r} is not in the text"
        text = text.replace(old, new, 1)
    return text
