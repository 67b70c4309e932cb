"""Results of validation cases as a Markdown table, the one that docs/validation.md carries."""

from __future__ import annotations

from collections.abc import Iterable

from flexarm.validation.case import CaseResult

HEAD = ("case", "quantity", "reference", "found", "tolerance", "verdict", "source")


def markdown_table(results: Iterable[CaseResult]) -> str:
    """Write one row per result; nothing in it depends on time or place."""
    rows = [HEAD, ("---",) * len(HEAD)]
    rows += [
        (
            f"`{result.case.name}`",
            result.case.quantity,
            result.expected_text,
            result.found_text,
            result.case.tolerance_text,
            result.verdict,
            result.case.source,
        )
        for result in results
    ]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)
