"""The closed form of [SY94] section 6.1, coefficient by coefficient, and its misprints."""

import numpy as np
import pytest
import sympy as sp
from paths import PROJECT
from published_closed_form import F_1, F_2, MISPRINTS, RIGID

from flexarm import load_arm
from flexarm.closed_form.closed_form import closed_form
from flexarm.closed_form.formats.layout import force_names
from flexarm.closed_form.formats.sympy_expressions import expression, symbol

SHIPPED = load_arm(PROJECT / "robots" / "korayem_1994_closed_form.yaml")
ARM = SHIPPED.model_copy(update={"products_of_deflections": True})
PRINTED = {"F_1": F_1, "F_2": F_2}
NAMES = {name: symbol(name) for name in ("L", "g", "mu", "q_1", "q_2")}
NAMES |= {f"q_{i}{rate}": symbol(f"q_{i}{rate}") for i in (1, 2) for rate in ("_d", "_dd")}
NAMES |= {f"D{i}{rate}": symbol(f"delta_{i}_1{rate}") for i in (1, 2) for rate in ("", "_d", "_dd")}
NAMES["m"] = NAMES["mu"] * NAMES["L"]  # the mass of a link


def derived(truncation, formulation="lagrangian"):
    """Product -> coefficient, for each force."""
    form = closed_form(ARM, truncation, formulation)
    named = dict(zip(force_names(form), form.forces, strict=True))
    return {name: expression(terms).expand().as_coefficients_dict() for name, terms in named.items()}


def as_key(product):
    return sp.sympify(product, locals=NAMES)


def half_a_digit(text):
    return 0.5 * 10.0 ** -len(text.partition(".")[2]) + 1e-9


@pytest.fixture(scope="module")
def first_order():
    return derived("first-order")


@pytest.mark.parametrize("name", PRINTED)
def test_every_printed_coefficient_is_derived_or_a_listed_misprint(first_order, name):
    known = {right for (force, *_), right in MISPRINTS.items() if force == name}
    rest = dict(first_order[name])
    for printed in PRINTED[name]:
        right = MISPRINTS.get((name, *printed), printed)
        if right is None:
            assert as_key(printed[1]) not in rest
            continue
        coefficient, product = right
        assert float(rest.pop(as_key(product))) == pytest.approx(
            float(coefficient), abs=half_a_digit(coefficient)
        )
    assert not rest, f"not printed: {rest}"
    assert known


def test_the_shipped_arm_has_this_form_by_itself(first_order):
    form = closed_form(SHIPPED, "all", SHIPPED.run.formulation)
    named = dict(zip(force_names(form), form.forces, strict=True))
    for name, expected in first_order.items():
        found = expression(named[name]).expand().as_coefficients_dict()
        assert set(found) == set(expected)
        assert all(float(found[key]) == pytest.approx(float(expected[key]), rel=1e-12) for key in found)


@pytest.mark.parametrize(("name", "coefficient", "product"), MISPRINTS)
def test_a_misprint_is_not_what_is_derived(first_order, name, coefficient, product):
    assert (coefficient, product) in PRINTED[name]
    value = float(first_order[name].get(as_key(product), 0.0))
    assert abs(value - float(coefficient)) > half_a_digit(coefficient)


def test_the_dropped_term_is_of_second_order():
    """[SY94] prints 3.29 L^2 mu q_11 where pi^2/3 L mu q_11^2 stood before the second order was dropped."""
    L, mu, D1, q_2_dd = (NAMES[name] for name in ("L", "mu", "D1", "q_2_dd"))
    assert float(derived("all")["F_2"][L * mu * D1**2 * q_2_dd]) == pytest.approx(np.pi**2 / 3, rel=1e-12)


@pytest.mark.parametrize("formulation", ["articulated", "gibbs-appell", "lagrangian"])
def test_rigid_form_is_the_printed_one(formulation):
    rigid = derived("rigid", formulation)
    assert set(rigid) == set(RIGID)
    for name, products in RIGID.items():
        assert len(rigid[name]) == len(products)
        for printed in products:
            coefficient, product = printed.split(maxsplit=1)
            value = float(rigid[name][as_key(product)])
            assert value == pytest.approx(float(coefficient), abs=half_a_digit(coefficient))


def test_misprints_stand_in_the_documentation():
    text = (PROJECT / "docs" / "papers.md").read_text()
    section = text.partition("### Closed form, section 6.1")[2].partition("\n## ")[0]
    for _, coefficient, _ in MISPRINTS:
        assert coefficient.removeprefix("-") in section
