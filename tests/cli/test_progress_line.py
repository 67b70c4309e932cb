"""The progress line stays one line, however narrow the terminal is."""

import logging

import pytest

from flexarm.cli.terminal import console, status_line
from flexarm.cli.terminal.console import Console, ProgressLine


@pytest.mark.parametrize("columns", [200, 80, 60, 40, 12])
def test_it_fits_the_terminal(monkeypatch, capsys, columns):
    monkeypatch.setattr(console, "columns", lambda: columns)
    monkeypatch.setattr(status_line, "columns", lambda: columns)
    monkeypatch.setattr(console, "REFRESH", 0.0)
    monkeypatch.setattr(console, "PATIENCE", 0.0)
    line = ProgressLine("simulating")
    for fraction in (0.0, 0.5, 1.0):
        line.update(fraction, 123.456)
    line.clear()
    shown = capsys.readouterr().err.split("\r")
    assert max(map(len, shown)) < columns
    assert all(text.startswith("simulating"[: columns - 1]) for text in shown[1:4])
    assert all(
        (f"{done:4}%" in text) for done, text in zip((0, 50, 100), shown[1:4], strict=True) if columns > 20
    )
    assert ("[" in shown[1]) == (columns >= 60)


def test_without_a_terminal_the_line_has_eighty_columns(capsys):
    assert status_line.columns() == status_line.NO_TERMINAL


def test_a_message_of_the_library_takes_the_line_away_first(monkeypatch, capsys):
    monkeypatch.setattr(console, "PATIENCE", 0.0)
    line = ProgressLine("simulating")
    Console().listen()
    line.update(0.5, 1.0)
    logging.getLogger("flexarm").info("this run takes about 2 min")
    shown, message = capsys.readouterr().err.rsplit("\r", 1)
    assert "50%" in shown
    assert not shown.rsplit("\r", 1)[1].strip()
    assert message == "flexarm: this run takes about 2 min\n"
