"""Outcomes as a Markdown table, the one that docs/validation.md carries."""

from __future__ import annotations

from collections.abc import Iterable

from flexarm.validation.case import CaseResult

HEAD = ("case", "quantity", "reference", "found", "tolerance", "verdict", "source")


def markdown_table(outcomes: Iterable[CaseResult]) -> str:
    """Write one row per outcome; nothing in it depends on time or place."""
    rows = [HEAD, ("---",) * len(HEAD)]
    rows += [
        (
            f"`{outcome.case.name}`",
            outcome.case.quantity,
            outcome.expected_text,
            outcome.found_text,
            outcome.case.tolerance_text,
            outcome.verdict,
            outcome.case.source,
        )
        for outcome in outcomes
    ]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)
