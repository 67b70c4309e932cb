"""Printed equations: abbreviations stand for the same products, and LaTeX compiles what is written."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from arms import arm
from paths import ROBOTS

from flexarm import load_arm
from flexarm.closed_form.closed_form import closed_form
from flexarm.closed_form.formats.abbreviations import Abbreviations
from flexarm.closed_form.formats.latex import as_latex

ARMS = {
    "usoro_two_link": load_arm(ROBOTS / "usoro_two_link.yaml"),
    "spatial-two-link": arm("spatial-two-link"),
    "planar-base": load_arm(ROBOTS / "shafei_falling_link.yaml"),
}


@pytest.mark.parametrize("name", ARMS)
def test_abbreviated_sums_are_the_same_products(name):
    """Multiplied out again, every product comes back with its coefficient, and none besides."""
    form = closed_form(ARMS[name], "linear")
    short = Abbreviations(frozenset(p.name for p in form.parameters))
    for terms in form.forces:
        found = {}
        for product in short.shortened(terms):
            constant = short.constants.get(product.constant)
            if constant is None:
                named = ((product.constant, 1),) if product.constant else ()
                parts = [(1.0, named)]
            else:
                parts = [(part.coefficient, part.factors) for part in constant]
            for value, factors in parts:
                rest = product.term
                key = (tuple(sorted((*factors, *rest.factors))), rest.tanh, rest.function, rest.angle)
                found[key] = product.multiple * value
        expected = {(term.factors, term.tanh, term.function, term.angle): term.coefficient for term in terms}
        assert found.keys() == expected.keys()
        assert all(found[key] == pytest.approx(value, rel=1e-11) for key, value in expected.items())
    products = sum(map(len, form.forces))
    assert len(short.constants) < products / 2


def test_names_and_structure():
    text = as_latex(closed_form(ARMS["usoro_two_link"], "linear"), 4, "inverse")
    assert text.count("{") == text.count("}")
    assert text.count(r"\bigl(") == text.count(r"\bigr)")
    assert r"\ddot{q}_{1}" in text
    assert r"\dot{\delta}_{1,1}" in text
    assert r"s_{12} ={}& \sin(q_{1} + q_{2})" in text
    used = set(re.findall(r"a_\{\d+\}", text.split(r"\section*{Equations}")[1]))
    defined = set(re.findall(r"(a_\{\d+\}) =", text))
    assert used == defined


def test_matrix_form_marks_the_entries_that_vanish():
    text = as_latex(closed_form(ARMS["planar-base"]), 4, "mass-matrix")
    assert r"M_{1,4} & M_{2,4} & 0 & M_{4,4}" in text
    assert "M_{3,4} =" not in text
    assert r"h(\theta, \dot\theta) = F" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
@pytest.mark.parametrize("shape", ["inverse", "mass-matrix"])
@pytest.mark.parametrize("name", ARMS)
def test_latex_compiles_without_overfull_lines(name, shape, tmp_path):
    (tmp_path / "equations.tex").write_text(as_latex(closed_form(ARMS[name], "linear"), 4, shape))
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "equations.tex"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-1000:]
    assert "Overfull" not in (tmp_path / "equations.log").read_text(errors="replace")
    assert (tmp_path / "equations.pdf").stat().st_size > 10_000
