"""S1's scalar-last convention against the scalar-first one of everything else."""

import numpy as np
import pytest

from quatviz.physics.mechanics import rotations as r
from quatviz.physics.mechanics import scalar_last as last

RANDOM = np.random.default_rng(1)
P = r.normalize(RANDOM.normal(size=(50, 4)))
EPS = last.scalar_last_from_first(P)
OMEGA = RANDOM.normal(size=(50, 3))


def test_round_trip_restores_the_input() -> None:
    assert last.scalar_last_from_first([1.0, 2.0, 3.0, 4.0]).tolist() == [2.0, 3.0, 4.0, 1.0]
    assert last.scalar_first_from_last([2.0, 3.0, 4.0, 1.0]).tolist() == [1.0, 2.0, 3.0, 4.0]
    assert np.array_equal(last.scalar_first_from_last(EPS), P)


def test_scipy_is_scalar_last_and_maps_body_to_space() -> None:
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    assert last.matrix_R(EPS) == pytest.approx(np.swapaxes(rotation.from_quat(EPS).as_matrix(), 1, 2))


def test_R_is_A_transposed() -> None:
    assert last.matrix_R(EPS) == pytest.approx(np.swapaxes(r.rotation_matrix(P), 1, 2), abs=1e-14)


@pytest.mark.parametrize("matrix", [last.matrix_E, last.matrix_E_body])
def test_E_is_orthogonal_and_ends_with_the_constraint(matrix) -> None:
    E = matrix(EPS)
    assert E @ np.swapaxes(E, 1, 2) == pytest.approx(np.broadcast_to(np.eye(4), E.shape), abs=1e-14)
    assert np.array_equal(E[:, 3], EPS)


def test_rates_in_both_frames() -> None:
    rate = last.scalar_last_from_first(r.rate_from_omega(P, OMEGA))[:, :, None]
    body, space = 2 * last.matrix_E_body(EPS) @ rate, 2 * last.matrix_E(EPS) @ rate
    assert body[:, :3, 0] == pytest.approx(OMEGA)
    assert space[:, :3, 0] == pytest.approx(r.rotate(P, OMEGA))
    assert body[:, 3, 0] == pytest.approx(0.0, abs=1e-14)
    assert space[:, 3, 0] == pytest.approx(0.0, abs=1e-14)


def test_wrong_component_count_is_refused() -> None:
    with pytest.raises(ValueError, match="expected 4 components"):
        last.matrix_E([1.0, 0.0, 0.0])
