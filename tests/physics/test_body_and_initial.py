"""The body and the initial state: derived values and refusals."""

import numpy as np
import pytest
from core_strategies import inertias, unit_quaternions, vectors
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from quatviz.base.errors import InputError
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import SEQUENCES
from quatviz.physics.mechanics.initial import Angles, Initial
from quatviz.physics.mechanics.rotations import norm, orientation_matrix, relative_angle

TORQUE_FREE = [400, 307.808385, 200]


def test_principal_moments_are_the_diagonal_of_J():
    body = Body(TORQUE_FREE)
    assert_array_equal(body.inertia, np.diag(TORQUE_FREE))
    moments, axes = body.principal()
    assert_array_equal(moments, TORQUE_FREE)  # in the order of the body axes, not sorted
    assert_array_equal(axes, np.eye(3))
    assert body == Body(np.diag(TORQUE_FREE))
    assert hash(body) == hash(Body(np.diag(TORQUE_FREE)))
    assert not body.inertia.flags.writeable


@given(inertias)
def test_principal_axes_diagonalize_J(inertia):
    body = Body(inertia)
    moments, axes = body.principal()
    assert_allclose(axes @ np.diag(moments) @ axes.T, inertia, rtol=0, atol=1e-12 * moments.max())
    assert np.linalg.det(axes) == pytest.approx(1.0, abs=1e-12)
    assert_allclose(body.inverse_inertia @ inertia, np.eye(3), rtol=0, atol=1e-11)


def test_rounded_planar_body_is_accepted():
    Body([1, 1, 2])
    Body([0.1, 0.2, 0.1 + 0.2])
    turn = orientation_matrix([1.0, 2.0, 3.0, 4.0])
    Body(turn @ np.diag([1.0, 2.0, 3.0]) @ turn.T)


def test_rounded_products_of_inertia_are_symmetrized():
    body = Body([[2.0, 0.1, 0], [0.1 + 1e-12, 2.0, 0], [0, 0, 2.0]])
    assert_array_equal(body.inertia, body.inertia.T)


def test_inertia_of_a_top_about_its_pivot():
    body = Body([5, 5, 1], about="pivot", mass=20 / 9.81, centre_of_mass=[0, 0, 1])
    assert_array_equal(body.centre_of_mass, [0, 0, 1])
    Body([5, 5, 1], about="pivot")


WRONG_BODIES = [
    ({"inertia": [1, 2, 3.001]}, "inertia", "3.001 > 1 + 2"),
    ({"inertia": [0, 1, 1]}, "inertia", "above zero"),
    ({"inertia": [-1, 1, 1]}, "inertia", "above zero"),
    ({"inertia": [1, 1, 1e-10]}, "inertia", "above 1e-09 times the largest"),
    ({"inertia": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]}, "inertia", "symmetric"),
    ({"inertia": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]}, "inertia", "above zero"),
    ({"inertia": [1, 1]}, "inertia", "2 numbers"),
    ({"inertia": [[[[1]], []], 1, 2]}, "inertia", "unequal length"),
    ({"inertia": ["1", 1, 1]}, "inertia", "without quotes"),
    ({"inertia": [1, 1, float("inf")]}, "inertia", "finite"),
    ({"inertia": [1, 1, 1], "about": "center_of_mass"}, "about", "did you mean 'centre_of_mass'"),
    ({"inertia": [1, 1, 1], "mass": 0}, "mass", "above 0"),
    ({"inertia": [1, 1, 1], "centre_of_mass": [0, 0, 1]}, "centre_of_mass", "pivot"),
    (
        {"inertia": [5, 5, 1], "about": "pivot", "mass": 5, "centre_of_mass": [0, 0, 1]},
        "mass",
        "parallel-axis",
    ),
]


@pytest.mark.parametrize(("given", "key", "message"), WRONG_BODIES)
def test_impossible_bodies_are_refused(given, key, message):
    with pytest.raises(InputError) as caught:
        Body(**given)
    assert caught.value.key == key
    assert message in str(caught.value)


@given(unit_quaternions, vectors(3), inertias)
def test_initial_momentum_and_velocity_give_the_same_motion(p, omega, inertia):
    body = Body(inertia)
    by_velocity = Initial(euler_parameters=p, angular_velocity=omega)
    by_momentum = Initial(euler_parameters=p, angular_momentum=inertia @ omega)
    assert_array_equal(by_velocity.omega(body), omega)
    assert_allclose(by_momentum.omega(body), omega, rtol=0, atol=1e-10)
    assert norm(by_velocity.p()) == pytest.approx(1.0, abs=1e-15)


@given(vectors(3, 180.0), st.sampled_from(SEQUENCES))
def test_initial_angles_are_degrees_in_rotation_order(degrees, sequence):
    initial = Initial(angles={"sequence": sequence, "degrees": degrees}, angular_velocity=[0, 0, 0])
    named = sequence.translate(str.maketrans("123", "XYZ"))
    oracle = Rotation.from_euler(named, degrees, degrees=True).as_quat(scalar_first=True)
    assert relative_angle(initial.p(), oracle) < 1e-14
    assert initial.angles == Angles(sequence, degrees)


@given(vectors(3, 3.0))
def test_rotation_vector_is_in_radians(vector):
    initial = Initial(rotation_vector=vector, angular_velocity=[0, 0, 0])
    oracle = Rotation.from_rotvec(vector).as_quat(scalar_first=True)
    assert relative_angle(initial.p(), oracle) < 1e-14


def test_initial_p_is_normalized_but_typed_digits_are_kept():
    initial = Initial(euler_parameters=[0.7071068, 0.7071068, 0, 0], angular_velocity=[0, 0, 0])
    assert norm(initial.p()) == pytest.approx(1.0, abs=1e-15)
    assert initial.euler_parameters[0] == 0.7071068


REST = {"angular_velocity": [0, 0, 0]}
ALIGNED = {"euler_parameters": [1, 0, 0, 0]}
WRONG_STARTS = [
    ({"euler_parameters": [0, 0, 0, 0], **REST}, "euler_parameters", "zero quaternion"),
    (
        {"euler_parameters": [1, 1e-2, 0, 0], **REST},
        "euler_parameters",
        "normalize the quaternion, if only the length is wrong: 0.999950004",
    ),
    ({"euler_parameters": [1e50, 1e50, 0, 0], **REST}, "euler_parameters", "wrong: 0.70710678"),
    ({"euler_parameters": [1, 0, 0], **REST}, "euler_parameters", "3 numbers"),
    (REST, "", "exactly one of euler_parameters, angles, rotation_vector"),
    (ALIGNED, "", "exactly one of angular_momentum, angular_velocity"),
    (
        {**ALIGNED, "rotation_vector": [0, 0, 0], **REST},
        "rotation_vector",
        "euler_parameters and rotation_vector",
    ),
    ({**ALIGNED, "angular_momentum": [0, 0, 0], **REST}, "angular_velocity", "remove all but one"),
    ({"angles": {"sequence": "311", "degrees": [1, 2, 3]}, **REST}, "angles.sequence", "'313'"),
    ({"angles": {"sequence": 313, "degrees": [1, 2, 3]}, **REST}, "angles.sequence", "in quotes"),
    ({"angles": {"sequence": "313", "radians": [1, 2, 3]}, **REST}, "angles.radians", "unknown key"),
    ({"angles": {"sequence": "313"}, **REST}, "angles.degrees", "no such key"),
    ({"angles": [1, 2, 3], **REST}, "angles", "a table"),
]


@pytest.mark.parametrize(("given", "key", "message"), WRONG_STARTS)
def test_impossible_initial_states_are_refused(given, key, message):
    with pytest.raises(InputError) as caught:
        Initial(**given)
    assert caught.value.key == key
    assert message in str(caught.value)
