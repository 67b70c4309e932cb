"""Variation of an arm: the same description with some of its numbers replaced."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint import Joint
from flexarm.description.arm.link import Link
from flexarm.description.arm.load import Payload
from flexarm.description.motion.initial import Initial
from flexarm.description.motion.run_settings import RunSettings
from flexarm.description.reading.loader import parse_arm
from flexarm.description.reading.messages import problems
from flexarm.description.reading.yaml_text import Document, read_yaml
from flexarm.description.values.input_model import InputModel
from flexarm.errors import SpecError
from flexarm.sweeps.parameters.keys import Slot, find_slots

PARTS: dict[str, type[InputModel]] = {"payload": Payload, "initial": Initial, "run": RunSettings}
ENTRIES: dict[str, type[InputModel]] = {"links": Link, "joints": Joint}
"""Parts of an arm, and entries of its lists, that are valid or not whatever the rest of the arm is."""


@dataclass(frozen=True)
class _Part:
    """Such a part or entry: where its model goes, and how to get that from the values of the keys in it.

    Attributes
    ----------
    container : dict or list
    place : str or int
    keys : list of int
        Numbers of the keys.
    data : dict
        As last varied.
    validated : callable
        From the values of the keys to the model; raises ValidationError.
    """

    container: Any
    place: str | int
    keys: list[int]
    data: dict
    validated: Callable[..., InputModel]

    def put(self, values: Sequence[float | str]) -> None:
        """Put the model in its place; the data if they are not valid, of which the arm then complains."""
        try:
            self.container[self.place] = self.validated(*(values[k] for k in self.keys))
        except ValidationError:
            self.container[self.place] = self.data


class Variation:
    """Makes arms from a description and values of its varied keys.

    The text is parsed once, and a part is validated once for each of the values that its keys have. Every arm then
    passes the whole validation of an arm file, because keys depend on one another in ways that a single value does not
    show: a duration on tables, a number of modes on initial values.

    Parameters
    ----------
    text : str
        The description, as of :attr:`Arm.text <flexarm.description.arm.arm.Arm.text>`.
    keys : sequence of str

    Raises
    ------
    KeyFault
        A key does not exist or holds no number.

    Attributes
    ----------
    base : Arm
        The arm as described.
    slots : list of list of Slot
        Where each key stands.
    """

    def __init__(self, text: str, keys: Sequence[str]):
        self.base = parse_arm(text)
        self._data = read_yaml(text, "arm").data
        self._changing = threading.Lock()  # workers of a cluster may be threads of one process
        self.keys = tuple(keys)
        self.slots: list[list[Slot]] = [find_slots(self._data, self.base, key) for key in keys]
        self._whole, self._parts = self._split_parts()

    @property
    def data(self) -> dict:
        """Plain data of the description, as last varied."""
        return self._data

    def arm(self, values: Sequence[float | str]) -> Arm:
        """Return the arm with these values of the keys.

        Raises
        ------
        SpecError
            The values make no valid arm; they are named.
        """
        try:
            with self._changing:
                for slots, value in zip(self.slots, values, strict=True):
                    for slot in slots:
                        slot.container[slot.part] = value
                for part in self._parts:
                    part.put(values)
                return Arm.model_validate(self._whole)
        except ValidationError as error:
            where = format_point(self.keys, values)
            raise SpecError(problems(error, Document("", self._data), where, Arm)) from None

    def _split_parts(self) -> tuple[dict, list[_Part]]:
        """The data of an arm, and the parts in it that can be validated by themselves."""
        whole = dict(self._data)
        parts = [self._part(whole, name, model, (name,)) for name, model in PARTS.items() if name in whole]
        for name in ENTRIES.keys() & whole.keys():
            entries = whole[name] = list(whole[name])
            parts += [self._part(entries, k, ENTRIES[name], (name, k)) for k in range(len(entries))]
        return whole, parts

    def _part(self, container: Any, place: str | int, model: type[InputModel], path: tuple) -> _Part:
        data = container[place]
        inside = [
            k for k, slots in enumerate(self.slots) if any(slot.path[: len(path)] == path for slot in slots)
        ]
        # The data hold the values already; as arguments they are the key of what has been validated before.
        validated = lru_cache(256)(lambda *_: model.model_validate(data))
        return _Part(container, place, inside, data, validated)


def format_point(keys: Sequence[str], values: Sequence[float | str]) -> str:
    """Write a point: ``links[0].EI = 1000, payload.mass = 0.5``."""
    pairs = zip(keys, values, strict=True)
    return ", ".join(
        f"{key} = {value if isinstance(value, str) else format(value, 'g')}" for key, value in pairs
    )
