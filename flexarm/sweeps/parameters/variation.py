"""Variation of an arm: the same description with some of its numbers replaced."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from flexarm.arguments import shown
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.link.link import Link
from flexarm.description.arm.load import Payload
from flexarm.description.motion.initial import Initial
from flexarm.description.motion.run_settings import RunSettings
from flexarm.description.reading.loader import parse_arm
from flexarm.description.reading.messages import problems
from flexarm.description.reading.parameters import PARAMETERS, resolve
from flexarm.description.reading.yaml_files.yaml_document import Document, has_entry
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.description.values.input_model import InputModel, KeyPath
from flexarm.description.values.quantities import angle
from flexarm.errors import ModelError, SpecError
from flexarm.sweeps.parameters.keys import KeyFault, Slot, find_slots, parse_key

PARTS: dict[str, type[InputModel]] = {"payload": Payload, "initial": Initial, "run": RunSettings}
ENTRIES: dict[str, type[InputModel]] = {"links": Link, "joints": Joint}
"""Parts of an arm, and entries of its lists, that are valid or not whatever the rest of the arm is."""


NO_TEXTS: Mapping[str, Sequence[str]] = MappingProxyType({})


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
    texts : mapping, optional
        Expressions of keys whose values are the numbers of these, counted from 1.

    Raises
    ------
    KeyFault
        A key does not exist, holds no number, or is a parameter on which nothing depends.

    Attributes
    ----------
    base : Arm
        The arm as described.
    slots : list of list of Slot
        Where each key stands.
    """

    def __init__(self, text: str, keys: Sequence[str], texts: Mapping[str, Sequence[str]] = NO_TEXTS):
        self.base = parse_arm(text)
        self._resolution = resolve(read_yaml(text, "arm").data, Arm)
        self._data = self._resolution.data
        self._changing = threading.Lock()  # workers of a cluster may be threads of one process
        self.keys = tuple(keys)
        self.texts = dict(texts)
        self.slots: list[list[Slot]] = [find_slots(self._data, self.base, key) for key in keys]
        self._check_use()
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
                self._put(values)
                for part in self._parts:
                    part.put(values)
                return Arm.model_validate(self._whole)
        except ValidationError as error:
            formulas = {path: formula.text for path, formula in self._resolution.formulas.items()}
            document = Document("", self._data, formulas=formulas)
            raise SpecError(problems(error, document, self.point(values), Arm)) from None

    def present(self, key: str) -> float:
        """Value of a varied key in the description, the same in all places where it stands; before any variation.

        Raises
        ------
        ModelError
            They differ, or are no numbers that change continuously.
        """
        (slots,) = (slots for slots, own in zip(self.slots, self.keys, strict=True) if own == key)
        found = {_present(self.base, slot) for slot in slots}
        if len(found) != 1:
            raise ModelError(f"{key} stands for several different numbers; name one of them")
        value = found.pop()
        if isinstance(value, str):
            with suppress(PydanticCustomError):
                value = angle(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ModelError(f"{key} is {shown(value)}, which is no number that changes continuously")
        return float(value)

    def point(self, values: Sequence[float | str]) -> str:
        """Write a point: ``links[0].EI = 1000, payload.mass = 0.5``."""
        typed = zip(self.keys, map(self._typed, self.keys, values), strict=True)
        return ", ".join(
            f"{key} = {value if isinstance(value, str) else format(value, 'g')}" for key, value in typed
        )

    def keys_behind(self, path: KeyPath) -> set[str]:
        """Varied keys on which what stands at a path, or below it, depends."""
        found = {
            key
            for key, slots in zip(self.keys, self.slots, strict=True)
            if any(slot.path[: len(path)] == path for slot in slots)
        }
        used = self._resolution.used_below(path)
        return found | {key for key in self.keys if self._parameter(key) in used}

    def _parameter(self, key: str) -> str | None:
        """Name of the parameter that a key is."""
        path = parse_key(key)
        return str(path[1]) if path[0] == PARAMETERS else None

    def _check_use(self) -> None:
        """Refuse parameters on which nothing depends; expressions whose places are varied are gone."""
        for slot in itertools.chain.from_iterable(self.slots):
            self._resolution.formulas.pop(slot.path, None)
        unused = self._resolution.unused
        for key in self.keys:
            if self._parameter(key) in unused and not self.texts:
                raise KeyFault(f"nothing depends on {key!r}")

    def _typed(self, key: str, value: float | str) -> float | str:
        texts = self.texts.get(key)
        return value if texts is None or isinstance(value, str) else texts[int(value) - 1]

    def _put(self, values: Sequence[float | str]) -> None:
        """Put values of the keys into the data: those of parameters first, on which others may depend."""
        typed = list(map(self._typed, self.keys, values))
        parameters = [self._parameter(key) for key in self.keys]
        changes = {name: value for name, value in zip(parameters, typed, strict=True) if name is not None}
        if changes:
            self._resolution.vary(changes)
        for key, slots, name, value in zip(self.keys, self.slots, parameters, typed, strict=True):
            for slot in slots if name is None else ():
                slot.container[slot.part] = value
                if key in self.texts:
                    self._resolution.put(slot.path, str(value), Arm)

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
        behind = self.keys_behind(path)
        if behind & self.texts.keys():  # expressions, of whatever parameters
            behind |= {key for key in self.keys if self._parameter(key) is not None}
        inside = [k for k, key in enumerate(self.keys) if key in behind]
        # The data hold the values already; as arguments they are the key of what has been validated before.
        validated = lru_cache(256)(lambda *_: model.model_validate(data))
        return _Part(container, place, inside, data, validated)


def _present(base: Arm, slot: Slot) -> object:
    """What stands in a slot, or the default of what the description does not say."""
    if has_entry(slot.container, slot.part):
        return slot.container[slot.part]
    found: object = base
    for part in slot.path:
        found = found[part] if isinstance(part, int) else getattr(found, part, None)  # pyright: ignore
    return found
