"""The touches of soft walls of a run, in lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from flexarm.results.result import Result


def describe_touches(result: Result, console: Console) -> None:
    """Write how often points were in soft walls, and what that took; every single touch with -v."""
    from flexarm.results.events.touches import touch_records, touch_summary

    for record in touch_records(result):
        lasts = record.end != record.end
        until = "on" if lasts else f"to {record.end:.6f} s"
        after = "" if lasts else f" to {record.after:.4g}"
        console.detail(
            f"{record.point} in wall {record.wall} from {record.begin:.6f} {until}: {record.before:.4g}{after} m/s"
        )
    for line in touch_summary(result):
        console.write(line)
