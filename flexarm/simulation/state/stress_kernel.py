"""Largest von Mises stress of sections over many samples, compiled; formulas of ``links.stress.section_stress``."""

from __future__ import annotations

import math

from flexarm.codegen.kernels.language import array, compiled, registers, tail

ROWS = 128
"""Samples at once: what a section needs of them stays in the processor's cache."""
LOADS = 6
"""N, V_y, V_z, T, M_y, M_z."""
PLACE, FIRST, POINTS = range(3)
"""Columns of the table of sections: place among those of a sample, first coefficient, number of points, 0 if round."""
PER_ANGLE, PER_POINT = 2, 9


def largest_stress(
    m, n_sections, n_places, n_coefficients, n_angles, force_stride, moment_stride,
    sections, coefficients, angles, force, moment, loads, found, stress,
):  # fmt: skip
    """Fill in the largest equivalent stress of each section; return the number of samples.

    Parameters
    ----------
    m, n_sections, n_places : int
        Numbers of samples, of sections whose stress is wanted, and of all sections of a sample.
    n_coefficients, n_angles : int
    force_stride, moment_stride : int
        Numbers from one sample to the next.
    sections : (n_sections, 3)
    coefficients : (n_coefficients,)
    angles : (n_angles, PER_ANGLE)
        Cosines and sines of the points of a round section between 0 and 90 degrees from the direction of bending.
    force, moment : (m, stride) [N, N m]
        Of which the first 3 n_places of each sample are those of its sections.
    loads, found : (LOADS, ROWS), (ROWS,)
        Memory for the loads of one section, and its stress.
    stress : (m, n_places) [Pa]
    """
    sections, coefficients = array(sections, n_sections, 3), array(coefficients, n_coefficients)
    angles = array(angles, n_angles, PER_ANGLE)
    force, moment = array(force, m, force_stride), array(moment, m, moment_stride)
    loads, found, stress = array(loads, LOADS, ROWS), array(found, ROWS), array(stress, m, n_places)
    for first in range(0, m, ROWS):
        rows = min(ROWS, m - first)
        for section in range(n_sections):
            place, points = sections[section, PLACE], sections[section, POINTS]
            own = tail(coefficients, sections[section, FIRST])
            in_space = 0
            for k in range(rows):
                for axis in (0, 1, 2):
                    loads[axis, k] = force[first + k, 3 * place + axis]
                    loads[3 + axis, k] = moment[first + k, 3 * place + axis]
                if abs(loads[2, k]) + abs(loads[3, k]) + abs(loads[4, k]) != 0.0:
                    in_space = 1
            if points == 0 and in_space == 0:
                around_in_plane(rows, own, angles, loads, found)
            elif points == 0:
                around(rows, own, angles, loads, found)
            else:
                at_points(rows, array(own, points, PER_POINT), loads, found)
            for k in range(rows):
                stress[first + k, place] = found[k]
    return m


@compiled
def around(rows, coefficients, angles, loads, found):
    """Largest stress around a round section.

    Parameters
    ----------
    coefficients : (4,)
        Stress of a unit of N, of a bending moment, of a shear force and of T.

    Notes
    -----
    sigma = n + m cos(phi), tau = t + a cos(phi) - b sin(phi), seen from the direction of bending. The square of the
    equivalent stress is a polynomial of cosine and sine; at angles that differ by their signs alone it has the same
    terms. Two more points are where the shear force counts most.
    """
    of_N, of_M, of_V, of_T = coefficients[0], coefficients[1], coefficients[2], coefficients[3]
    for k in registers(rows):
        V_y, V_z, M_y, M_z = loads[1, k], loads[2, k], loads[4, k], loads[5, k]
        M = math.sqrt(M_y * M_y + M_z * M_z)
        c = -M_z / M if M > 0.0 else 1.0
        s = M_y / M if M > 0.0 else 0.0
        n, m, t = of_N * loads[0, k], of_M * M, of_T * loads[3, k]
        a, b = of_V * (V_z * c - V_y * s), of_V * (V_y * c + V_z * s)
        v = math.sqrt(a * a + b * b)
        bent = m * a / v if v > 0.0 else 0.0
        largest = max((n - bent) ** 2 + 3.0 * (t - v) ** 2, (n + bent) ** 2 + 3.0 * (t + v) ** 2)
        constant = n * n + 3.0 * (t * t + b * b)
        of_cos, of_sin = 2.0 * n * m + 6.0 * t * a, 6.0 * t * b
        of_square, of_product = m * m + 3.0 * (a * a - b * b), 6.0 * a * b
        largest = max(largest, constant + of_square + abs(of_cos), constant + abs(of_sin))
        for j in range(angles.shape[0]):
            cos, sin = angles[j, 0], angles[j, 1]
            along, across, both = of_cos * cos, of_sin * sin, of_product * (cos * sin)
            odd = max(abs(along - across) - both, abs(along + across) + both)
            largest = max(largest, constant + of_square * (cos * cos) + odd)
        found[k] = math.sqrt(largest)


@compiled
def around_in_plane(rows, coefficients, angles, loads, found):
    """The same without V_z, T and M_y: it is the same on both sides of the plane of bending."""
    of_N, of_M, of_V = coefficients[0], coefficients[1], coefficients[2]
    for k in registers(rows):
        n, m, b = abs(of_N * loads[0, k]), abs(of_M * loads[5, k]), of_V * loads[1, k]
        shear = 3.0 * (b * b)
        largest = max((n + m) ** 2, n * n + shear)
        for j in range(angles.shape[0]):
            largest = max(largest, (n + m * angles[j, 0]) ** 2 + shear * (angles[j, 1] * angles[j, 1]))
        found[k] = math.sqrt(largest)


@compiled
def at_points(rows, coefficients, loads, found):
    """Largest stress at the points of a section.

    Parameters
    ----------
    coefficients : (points, PER_POINT)
        sigma_x of N, M_y, M_z, then tau_xy and tau_xz of V_y, V_z, T.
    """
    for k in registers(rows):
        N, V_y, V_z = loads[0, k], loads[1, k], loads[2, k]
        T, M_y, M_z = loads[3, k], loads[4, k], loads[5, k]
        largest = 0.0 * N
        for j in range(coefficients.shape[0]):
            sigma = coefficients[j, 0] * N + coefficients[j, 1] * M_y + coefficients[j, 2] * M_z
            tau_y = coefficients[j, 3] * V_y + coefficients[j, 4] * V_z + coefficients[j, 5] * T
            tau_z = coefficients[j, 6] * V_y + coefficients[j, 7] * V_z + coefficients[j, 8] * T
            largest = max(sigma * sigma + 3.0 * (tau_y * tau_y + tau_z * tau_z), largest)
        found[k] = math.sqrt(largest)
