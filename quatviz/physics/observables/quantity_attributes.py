"""Declarations of the quantities as attributes, so that type checkers detect misspelled names."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray


class QuantityAttributes:
    """Base class of objects that have every quantity of the registry as an attribute. The class declares their types.

    A test compares the declarations with the registry. With a type checker, read quantities of plug-ins with
    `getattr(lane, "name")`.
    """

    if TYPE_CHECKING:
        p: NDArray[np.float64]
        omega: NDArray[np.float64]
        omega_space: NDArray[np.float64]
        h: NDArray[np.float64]
        h_space: NDArray[np.float64]
        torque: NDArray[np.float64]
        torque_space: NDArray[np.float64]
        kinetic: NDArray[np.float64]
        potential: NDArray[np.float64]
        energy: NDArray[np.float64]
        constraint: NDArray[np.float64]
        constraint_rate: NDArray[np.float64]
        energy_drift: NDArray[np.float64]
        momentum_drift: NDArray[np.float64]
        h_space_drift: NDArray[np.float64]
        lam: NDArray[np.float64]
        lam_theory: NDArray[np.float64]
        lam_terms: NDArray[np.float64]
        singularity: NDArray[np.float64]
        condition: NDArray[np.float64]
        centre: NDArray[np.float64]
        centre_velocity: NDArray[np.float64]
        pivot_force: NDArray[np.float64]
        pivot_force_space: NDArray[np.float64]
        cone_angles: NDArray[np.float64]
        orbital_angles: NDArray[np.float64]
        target_angle: NDArray[np.float64]
        ring_angle: NDArray[np.float64]
        ring_rate: NDArray[np.float64]
        rotor_speed: NDArray[np.float64]
        rotor_torque: NDArray[np.float64]
        rotor_momentum: NDArray[np.float64]
        canonical_momentum: NDArray[np.float64]
        momentum: NDArray[np.float64]
        ring_multiplier: NDArray[np.float64]
        angles_121: NDArray[np.float64]
        det_S_121: NDArray[np.float64]  # noqa: N815
        angles_123: NDArray[np.float64]
        det_S_123: NDArray[np.float64]  # noqa: N815
        angles_131: NDArray[np.float64]
        det_S_131: NDArray[np.float64]  # noqa: N815
        angles_132: NDArray[np.float64]
        det_S_132: NDArray[np.float64]  # noqa: N815
        angles_212: NDArray[np.float64]
        det_S_212: NDArray[np.float64]  # noqa: N815
        angles_213: NDArray[np.float64]
        det_S_213: NDArray[np.float64]  # noqa: N815
        angles_231: NDArray[np.float64]
        det_S_231: NDArray[np.float64]  # noqa: N815
        angles_232: NDArray[np.float64]
        det_S_232: NDArray[np.float64]  # noqa: N815
        angles_312: NDArray[np.float64]
        det_S_312: NDArray[np.float64]  # noqa: N815
        angles_313: NDArray[np.float64]
        det_S_313: NDArray[np.float64]  # noqa: N815
        angles_321: NDArray[np.float64]
        det_S_321: NDArray[np.float64]  # noqa: N815
        angles_323: NDArray[np.float64]
        det_S_323: NDArray[np.float64]  # noqa: N815
