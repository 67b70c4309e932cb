"""Numbers of segments that a description leaves to the program (`segments: auto`), chosen before the arm is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.chosen_segments import SegmentChoice, segments_for
from flexarm.description.arm.link.link import MOST_SEGMENTS
from flexarm.description.reading.yaml_files.yaml_document import Document, has_entry
from flexarm.description.values.input_model import located, wrong

AUTO = "auto"
SEVERAL = 2
"""Segments with which the rest of the description is validated: any number above 1 has the same faults."""


def choose_segments(
    document: Document, validated: Callable[[Document], Arm], numbers: Mapping[int, int] | None = None
) -> tuple[Document, tuple[SegmentChoice, ...]]:
    """Put numbers in the place of `segments: auto`.

    Parameters
    ----------
    document : Document
        Description of an arm as typed.
    validated : callable
        From a document to its arm; raises SpecError.
    numbers : mapping, optional
        Numbers to take, by link from 0, instead of those that suit the arm.

    Returns
    -------
    Document
        With the numbers in its data, not in its text; the same one if there is nothing to choose.
    tuple of SegmentChoice

    Raises
    ------
    ValidationError
        What does not go with `auto`.
    SpecError
        What else is wrong.
    """
    links = document.data.get("links")
    chosen = [k for k, link in enumerate(links) if _is_auto(link)] if isinstance(links, list) else []
    if not chosen:
        return document, ()
    _check(document.data, chosen)
    arm = validated(_with_numbers(document, dict.fromkeys(chosen, SEVERAL)))
    choices = suitable_segments(arm, chosen)
    if numbers is not None:
        choices = tuple(one._replace(segments=numbers[one.link]) for one in choices)
    return _with_numbers(document, {one.link: one.segments for one in choices}), choices


def suitable_segments(arm: Arm, links: Sequence[int]) -> tuple[SegmentChoice, ...]:
    """Choose so many segments of links (from 0) that none is expected to turn by more than it may."""
    from flexarm.description.arm.expected_bending import expected_turns  # NumPy takes time to import

    turns = expected_turns(arm)
    return tuple(SegmentChoice(k, min(segments_for(turns[k]), MOST_SEGMENTS), turns[k]) for k in links)


def _is_auto(link: Any) -> bool:
    return isinstance(link, dict) and link.get("segments") == AUTO


def _check(data: dict, chosen: Sequence[int]) -> None:
    faults: list = []
    for k in chosen:
        if not data["links"][k].get("modes"):
            message = "got auto, but the link has no modes: it is rigid"
            faults.append((("links", k, "segments"), wrong(message, "give it modes, or leave segments out")))
    for name in ("modes", "mode_rates"):
        if has_entry(data.get("initial"), name):
            message = "got amplitudes of modes, whose number segments: auto leaves open"
            faults.append((("initial", name), wrong(message, "write the number of segments")))
    if faults:
        raise located(faults)


def _with_numbers(document: Document, numbers: Mapping[int, int]) -> Document:
    """The same document with these numbers of segments by link, from 0."""
    links = [
        {**link, "segments": numbers[k]} if k in numbers else link
        for k, link in enumerate(document.data["links"])
    ]
    return replace(document, data={**document.data, "links": links})
