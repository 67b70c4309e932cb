"""Parts of messages: the nearest known name, lists of names."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def did_you_mean(
    name: str, known: Iterable[str], otherwise: str = "", write: Callable[[str], str] = str
) -> str:
    """Hint at the nearest of the known names, as `write` writes it; `otherwise` where none is near."""
    import difflib  # only where something is wrong

    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean '{write(near[0])}'?" if near else otherwise


def listed(names: Iterable[str]) -> str:
    """Names in a sentence: ``a, b or c``."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
