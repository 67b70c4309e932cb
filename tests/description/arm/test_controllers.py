"""Controllers of a description: files of matrices, and what the arm's text says of them."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm

ARM = (
    "name: rod\nlinks: [{length: 1, mu: 3}]\nsensors: {hub: {joint: 1}}\n"
    "controllers: {c: {state_space: c.npz, inputs: hub}}\ndrive: [{controller: c}]\n"
)
A, B, C = [[0.0, 1.0], [-4.0, -2.0]], [[0.0], [1.0]], [[-3.0, 1.0]]


def test_matrices_of_a_file_become_part_of_the_description(tmp_path):
    np.savez(tmp_path / "c.npz", A=A, B=B, C=C)
    arm = flexarm.parse_arm(ARM, folder=tmp_path)
    inside = f"{{A: {A}, B: {B}, C: {C}}}"
    assert arm == flexarm.parse_arm(ARM.replace("c.npz", inside))
    assert flexarm.parse_arm(arm.text) == arm


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"A": A, "B": B}, "has no matrix C"),
        (
            {"A": A, "B": B, "C": np.array([[1, None]], object)},
            "matrix C holds Python objects, which are not",
        ),
        ({"A": A, "B": [0.0, 1.0], "C": C}, "matrix B has 1 dimension, expected 2"),
        ({"A": A, "B": B, "C": [[1j, 0]]}, "matrix C does not hold real numbers"),
        ({"A": A, "B": B, "C": [[1.0]]}, "got 1 x 1 numbers, expected 1 x 2"),
        ({"A": A, "B": B, "C": [[np.nan, 1.0]]}, "expected a finite number"),
        ({"A": np.zeros((300, 300)), "B": B, "C": C}, "matrix A is too large"),
    ],
)
def test_a_file_that_is_no_controller_is_refused_in_words(tmp_path, arrays, words):
    np.savez(tmp_path / "c.npz", **arrays)
    with pytest.raises(flexarm.SpecError, match=words):
        flexarm.parse_arm(ARM, folder=tmp_path)


def test_other_files_are_refused_in_words(tmp_path):
    with pytest.raises(flexarm.SpecError, match=r"c\.npz: controllers\.c\.state_space: no such file"):
        flexarm.parse_arm(ARM, folder=tmp_path)
    for content in (b"PK\x03\x04 not really", b"A: 3", b""):
        (tmp_path / "c.npz").write_bytes(content)
        with pytest.raises(flexarm.SpecError, match="cannot be read"):
            flexarm.parse_arm(ARM, folder=tmp_path)


def test_check_warns_of_an_unstable_controller():
    arm = flexarm.parse_arm(ARM.replace("c.npz", "{A: [[0, 1], [2, -1]], B: [[0], [1]], C: [[1, 0]]}"))
    (warning,) = [one for one in flexarm.check_arm(arm).warnings if "controller c" in one]
    assert "grows with 1/s" in warning
