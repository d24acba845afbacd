"""Checks of eqs. S2(25-37): the operators L and R in the proof of Proposition 1, which states when Lagrange's
equations are Euler's."""

from collections.abc import Mapping

import numpy as np

from quatviz.physics.mechanics.euler_sequences import SEQUENCES
from quatviz.physics.mechanics.rotations import Array, skew
from quatviz.verification.arrays import (
    complex_step_derivatives,
    partial_derivatives,
    stack_columns,
    times,
    transpose,
)
from quatviz.verification.coordinates import (
    antisymmetric_slopes,
    columns_of,
    operator_L,
    operator_R,
    random_coordinates,
    rate_matrix,
    rate_of,
    reduced_rate_matrix,
)
from quatviz.verification.parts.base import IdentityVerificationPart


class OperatorIdentities(IdentityVerificationPart):
    """Checks of each step of the proof for arbitrary matrices and slopes (partial derivatives), and of L = R
    for rotation coordinates.

    L differs from R for arbitrary matrices, because the proposition applies only to coordinates of rotations: the
    twelve Euler sequences and the reduced Euler parameters.
    """

    name = "operators"
    title = "S2, operators of the proof of Proposition 1, largest deviation"
    seed = 25
    tolerance = 1e-9

    def residuals(self, random: np.random.Generator, count: int) -> Mapping[str, Array]:
        S, slopes = random.normal(size=(count, 3, 3)), random.normal(size=(count, 3, 3, 3))
        x = random.normal(size=(count, 3))
        residuals = {
            **_unit_vector_residuals(S, slopes, x),
            **_equivalence_residuals(S, slopes, x),
        }
        for name, (S, slopes) in _coordinates(random, count).items():
            rate = random.normal(size=(len(S), 3))
            rows = transpose(columns_of(slopes, rate))
            gyroscopic = np.linalg.solve(transpose(S), transpose(rate_of(slopes, rate)) - rows)
            residuals |= {
                f"S2(29): L(q') = R(q') for {name}": operator_L(slopes, rate) - operator_R(S, rate),
                f"S2(37): S^-T (S'^T - [...]) = (S q')~ for {name}": gyroscopic - skew(times(S, rate)),
            }
        return residuals

    def expected_differences(self, random: np.random.Generator, count: int) -> Mapping[str, Array]:
        S, slopes = random.normal(size=(count, 3, 3)), random.normal(size=(count, 3, 3, 3))
        x = random.normal(size=(count, 3))
        return {"S2(29): L is not R for an arbitrary S": operator_L(slopes, x) - operator_R(S, x)}


def _coordinates(random: np.random.Generator, count: int) -> dict[str, tuple[Array, Array]]:
    """Return S and its partial derivatives for every set of three rotation coordinates, which are ordered as
    in S2."""
    choices = {}
    for sequence in SEQUENCES:
        q, matrix = random_coordinates(random, count, sequence), rate_matrix(sequence)
        choices["-".join(sequence)] = matrix(q), partial_derivatives(matrix, q)
    q = random.uniform(-0.5, 0.5, (count, 3))
    choices["reduced Euler parameters"] = (
        reduced_rate_matrix(q),
        complex_step_derivatives(reduced_rate_matrix, q),
    )
    return choices


def _unit_vector_residuals(S: Array, slopes: Array, x: Array) -> dict[str, Array]:
    """Return the residuals of eqs. S2(26) to S2(35) for arbitrary S (n, 3, 3), slopes dS/dq (n, 3, 3, 3) and
    x (n, 3)."""
    e1, e2, e3 = (np.broadcast_to(axis, x.shape) for axis in np.eye(3))
    zero = np.zeros_like(x)
    S1, S2, S3 = np.moveaxis(S, -1, 0)
    d21, d31, d32 = antisymmetric_slopes(slopes)
    parts = x[:, :, None, None]
    L_sum = sum(parts[:, i] * operator_L(slopes, axis) for i, axis in enumerate((e1, e2, e3)))
    R_sum = sum(parts[:, i] * operator_R(S, axis) for i, axis in enumerate((e1, e2, e3)))
    return {
        "S2(26): (S q')~ S = [S2 x S3, S3 x S1, S1 x S2] q'~": skew(times(S, x)) @ S - operator_R(S, x),
        "S2(27, 29): L(x) = sum of x_i L(e_i)": operator_L(slopes, x) - L_sum,
        "S2(28, 29): R(x) = sum of x_i R(e_i)": operator_R(S, x) - R_sum,
        "S2(30): L(e1) = [0, d21, d31]": operator_L(slopes, e1) - stack_columns(zero, d21, d31),
        "S2(31): L(e2) = [-d21, 0, d32]": operator_L(slopes, e2) - stack_columns(-d21, zero, d32),
        "S2(32): L(e3) = [-d31, -d32, 0]": operator_L(slopes, e3) - stack_columns(-d31, -d32, zero),
        "S2(33): R(e1) = [0, S1 x S2, S1 x S3]": operator_R(S, e1)
        - stack_columns(zero, np.cross(S1, S2), np.cross(S1, S3)),
        "S2(34): R(e2) = [S2 x S1, 0, S2 x S3]": operator_R(S, e2)
        - stack_columns(np.cross(S2, S1), zero, np.cross(S2, S3)),
        "S2(35): R(e3) = [S3 x S1, S3 x S2, 0]": operator_R(S, e3)
        - stack_columns(np.cross(S3, S1), np.cross(S3, S2), zero),
    }


def _equivalence_residuals(S: Array, slopes: Array, x: Array) -> dict[str, Array]:
    """Return the relations between the residuals of the equations in Proposition 1, for arbitrary S.

    The residual of each equation is an invertible linear map of the residual of the next. Therefore one
    equation holds if and only if all of them hold.
    """
    S1, S2, S3 = np.moveaxis(S, -1, 0)
    d21, d31, d32 = antisymmetric_slopes(slopes)
    residual18, residual19, residual20 = (
        d21 - np.cross(S1, S2),
        d31 - np.cross(S1, S3),
        d32 - np.cross(S2, S3),
    )
    residual16 = rate_of(slopes, x) + skew(times(S, x)) @ S - columns_of(slopes, x)
    residual17 = rate_of(slopes, x) + operator_R(S, x) - columns_of(slopes, x)
    zero = np.zeros_like(x)
    e1, e2, e3 = (np.broadcast_to(axis, x.shape) for axis in np.eye(3))
    det = np.linalg.det(S)[:, None, None]
    residual21 = transpose(S) @ stack_columns(d32, -d31, d21) - det * np.eye(3)
    return {
        "S2, Proposition 1: residuals of (a) and (b) are equal": residual16 - residual17,
        "S2, Proposition 1: residual of (b) is R(q') - L(q')": residual17
        - operator_R(S, x)
        + operator_L(slopes, x),
        "S2(30, 33): L(e1) - R(e1) is made of the residuals of (18) and (19)": operator_L(slopes, e1)
        - operator_R(S, e1)
        - stack_columns(zero, residual18, residual19),
        "S2(31, 34): L(e2) - R(e2) is made of the residuals of (18) and (20)": operator_L(slopes, e2)
        - operator_R(S, e2)
        - stack_columns(-residual18, zero, residual20),
        "S2(32, 35): L(e3) - R(e3) is made of the residuals of (19) and (20)": operator_L(slopes, e3)
        - operator_R(S, e3)
        - stack_columns(-residual19, -residual20, zero),
        "S2, Proposition 1: residual of (21) is S^T times that of (c)": residual21
        - transpose(S) @ stack_columns(residual20, -residual19, residual18),
    }
