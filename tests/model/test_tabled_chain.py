"""Section motion: tabled at stations, or with a symbol for the length, it equals that of the link itself."""

import casadi as ca
import numpy as np
import pytest
from paths import ROBOTS

from flexarm.description import load_arm
from flexarm.links import FlexibleLink
from flexarm.links.section_motion import Sections
from flexarm.model.chain_builder import build_chain
from flexarm.model.tabled_chain import tabled

STATIONS = (0.25, 0.5, 1.0)
ARMS = ("de_luca_siciliano_two_link", "spatial_three_link", "spin_up_beam")


def links(chain):
    return [body.link for body in chain.bodies if isinstance(body.link, FlexibleLink)]


@pytest.mark.parametrize("name", ARMS)
def test_tables_hold_the_section_motion_and_the_foreshortening_at_their_stations(name):
    chain = build_chain(load_arm(ROBOTS / f"{name}.yaml"))
    table_of_chain = tabled(chain, STATIONS)
    for i in range(len(chain.links)):
        for station in STATIONS:
            (_, link, xi), (_, table, _) = (one.station(i, station) for one in (chain, table_of_chain))
            assert table.directions == link.directions
            np.testing.assert_array_equal(table.displacement(xi), link.displacement(xi))
            np.testing.assert_array_equal(table.rotation(xi), link.rotation(xi))
            if link.foreshortening is not None:
                np.testing.assert_array_equal(table.foreshortening(xi), link.foreshortening(xi))


@pytest.mark.parametrize("name", ARMS)
def test_sections_of_symbolic_length_equal_those_of_the_number(name):
    length = ca.SX.sym("L")
    for link in links(build_chain(load_arm(ROBOTS / f"{name}.yaml"))):
        symbolic = Sections(length, link.sections.shapes)
        for kind in ("displacement", "rotation", "twist"):
            expected = getattr(link.sections, kind)(1.0)
            expressions = ca.SX(getattr(symbolic, kind)(1.0)) if expected.size else ca.SX(*expected.shape)
            found = np.array(ca.Function("f", [length], [expressions])(link.length))
            np.testing.assert_allclose(found, expected, rtol=1e-14)
