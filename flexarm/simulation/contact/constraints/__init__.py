"""Unilateral constraints of an arm at its states: which of them are closed and active, and how they rub."""
