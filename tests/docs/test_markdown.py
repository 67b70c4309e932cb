"""Paragraphs of Markdown are one line each, so that they wrap by themselves wherever they are shown."""

import pytest
from paths import PROJECT
from unwrap import pages, unwrapped


@pytest.mark.parametrize("page", pages(), ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_no_paragraph_has_a_hard_wrap(page):
    text = page.read_text()
    wrapped = [
        line
        for line, joined in zip(text.split("\n"), unwrapped(text).split("\n"), strict=False)
        if line != joined
    ]
    assert not wrapped, f"join the lines of its paragraphs: python docs/site/unwrap.py ({wrapped[0]!r} ...)"


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("a\nb\n\nc\nd", "a b\n\nc d"),
        ("# a\nb\nc\n## d", "# a\nb c\n## d"),
        ("- a\n  b\n- c\n\n  d\n  e\n\nf\ng", "- a b\n- c\n\n  d e\n\nf g"),
        ("1. a\n   b\n2. c\n   d", "1. a b\n2. c d"),
        ("of\n1986. And\n- one", "of 1986. And\n- one"),
        ("| a |\n| b |\nc", "| a |\n| b |\nc"),
        ("a\n```sh\nb\nc\n```\nd\ne", "a\n```sh\nb\nc\n```\nd e"),
        ("- a\n  ```sh\n  b\n  c\n  ```\n  d\n  e", "- a\n  ```sh\n  b\n  c\n  ```\n  d e"),
        ("a\n\n    b\n    c\n\nd\ne", "a\n\n    b\n    c\n\nd e"),
        ("a  \nb\\\nc\nd", "a  \nb\\\nc d"),
        ("<!-- a -->\nb\nc", "<!-- a -->\nb c"),
        ("[a]: b\n[c]: d", "[a]: b\n[c]: d"),
    ],
)
def test_lines_of_paragraphs_are_joined(text, joined):
    assert unwrapped(text) == joined
