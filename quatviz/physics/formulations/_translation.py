"""Formulations for a free body whose rotation and translation are coupled, as by a spring at a point away from its
center of mass; eqs. S3(41)-(44).

This module defines no formulation. It extends any formulation that takes loads: the state of the extended
formulation is that of the original one, followed by the center of mass and the linear momentum.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, get_type_hints

import numpy as np

from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.physics.exact import NoClosedForm
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations._extended import ExtendedForm
from quatviz.physics.formulations._kernels.rotors import RotorParameters
from quatviz.physics.formulations._kernels.translation import TranslationParameters
from quatviz.physics.formulations.base import Formulation, StateFunction
from quatviz.physics.loads import PackedLoads, bind, pack_loads
from quatviz.physics.loads.base import BoundLoad, Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.state import CENTER, LINEAR_MOMENTUM


def is_coupled(body: Body, loads: Sequence[Load | BoundLoad]) -> bool:
    """Return True if the rotation of a body depends on the position of its center of mass and both can be integrated
    together.

    >>> from quatviz.physics.loads import LOADS
    >>> spring = LOADS["spring"](stiffness=2.0, point=[0.1, 0.0, 0.0], anchor=[0.0, 0.0, 1.0])
    >>> is_coupled(Body(inertia=[1.0, 1.0, 1.0], mass=2.0), [spring]), is_coupled(Body(inertia=[1.0, 1.0, 1.0]), [spring])
    (True, False)
    """
    is_free = body.about == "centre_of_mass" and body.mass is not None and body.ring is None
    position_loads = [load for load in loads if load.position_matters]
    can_move = all(load.center_column is not None for load in position_loads)
    return is_free and bool(position_loads) and can_move


class TranslatingForm(ExtendedForm):
    """Methods of a formulation with a coupled translation.

    `with_translation` derives a class from this one and from the class of the formulation.
    """

    def __init__(self, initial: Initial, base: Formulation) -> None:
        ExtendedForm.__init__(self, base)  # not that of rotors, from which the class may be derived too
        self._initial = initial
        if not base.has_closed_form:
            self.blocks = (*base.blocks, CENTER, LINEAR_MOMENTUM)  # type: ignore[misc]

    def parameters(self, body: Body, loads: Sequence[Load]) -> Any:
        if self.has_closed_form:
            return self._base.parameters(body, loads)
        if body.about != "centre_of_mass" or body.mass is None:
            raise InputError(
                expected="a free body with a mass, like the initial body of the run",
                found="another",
                remedy='write mass, and about = "centre_of_mass"',
                topic="loads#rotation-and-translation-together",
            )
        packed = pack_loads(bind(loads, body), self.load_form, at_center=True)
        load_sum: Any = packed.variable_sum
        return TranslationParameters(
            self._base.parameters(body, ()),
            1.0 / body.mass,
            packed,
            load_sum.space_force,
            load_sum.body_force,
        )

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        if self.has_closed_form:
            return self._base.start(p, omega, parameters)
        position, velocity = (
            np.zeros(3) if vector is None else vector
            for vector in (self._initial.position, self._initial.velocity)
        )
        state = self._base.start(p, omega, parameters.base)
        return np.concatenate((state, position, velocity / parameters.inverse_mass))

    def rotor_momenta(self, states: np.ndarray, parameters: Any) -> np.ndarray | None:
        return self._base.rotor_momenta(*self._of_base(states, parameters))

    def center_states(self, states: np.ndarray, parameters: Any) -> np.ndarray | None:
        if self.has_closed_form:
            return None
        position, momentum = states[:, self._width : self._width + 3], states[:, self._width + 3 :]
        return np.concatenate((position, parameters.inverse_mass * momentum), axis=1)

    def solution(self, body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> StateFunction:
        if self.is_recorded:
            return self._base.solution(body, loads, p, omega)
        raise NoClosedForm(phrase(
            "no exact solution is known because rotation and translation are coupled; leave the mass empty to keep the center fixed"
        ))  # fmt: skip

    def _of_base(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, Any]:
        return (states, parameters) if self.has_closed_form else super()._of_base(states, parameters)


def with_translation(
    form: Formulation, body: Body, loads: Sequence[Load], initial: Initial, key: str
) -> Formulation:
    """Return the formulation for the motion of `body` under `loads`; `form` itself if rotation and translation are not
    coupled.

    Parameters
    ----------
    form
        Formulation of the rotation.
    body
        Initial body of a lane.
    loads
        All loads of the lane, including those from events.
    initial
        Initial state, from which position and velocity are taken.
    key
        Path of the setting that chose the formulation, for error messages.

    Raises
    ------
    InputError
        If the equations of the formulation cannot be extended.
    """
    if not is_coupled(body, loads):
        return form
    if not form.has_closed_form and not _can_translate(form):
        names = [other().titled_id for other in FORMULATIONS.values() if _can_translate(other())]
        raise InputError(
            expected=phrase(
                "a formulation that moves the center of mass: {names}", names=join_phrases(names)
            ),
            found=phrase("{id}, which would hold the center of mass fixed", id=form.titled_id),
            remedy="choose one of these; or remove the mass, so that the body turns about its center of mass in one place",
            key=key,
            topic="loads#rotation-and-translation-together",
        )
    return _extended(type(form))(initial, form)


def _can_translate(form: Formulation) -> bool:
    """Return True if the kernels derive attitude and angular velocity from the state and take loads from a field of the
    parameters."""
    if form.kernels is None or form.kernels.attitude is None or form.carries_ring:
        return False
    return issubclass(form.parameter_type, RotorParameters) or (
        get_type_hints(form.parameter_type).get("loads") is PackedLoads
    )


@cache
def _extended(family: type[Formulation]) -> Any:
    """Return the class with a coupled translation that belongs to the formulation class `family`."""
    attributes: dict[str, Any] = {"__module__": family.__module__, "__doc__": family.__doc__}
    if family.kernels is not None:
        attributes |= {"parameter_type": TranslationParameters, "second_order": False}
        if family.kernels.singularity is None:
            # The kernel of the type, which serves all forms, gives 1 for those without a singularity.
            attributes["threshold"] = 0.0
    return type(family.__name__, (TranslatingForm, family), attributes)
