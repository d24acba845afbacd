"""Gauss's and Legendre's method of three stages."""

import math

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._gauss import GaussLegendre

_ROOT = math.sqrt(15.0)


class Gauss6(GaussLegendre):
    """Three stages, which depend on each other; error of order dt^6. It keeps what `gauss4` keeps, and is solved as
    that is."""

    name = "gauss6"
    title = "Gauss–Legendre 6"
    source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1.3, IV.2.1, VIII.5, VIII.6"
    order = 6
    sort_order = 84
    measured = (Performance(388, 702, ("2.9e-14", "1.5e-14", "2.5e-14")),)
    a = (
        (5 / 36, 2 / 9 - _ROOT / 15, 5 / 36 - _ROOT / 30),
        (5 / 36 + _ROOT / 24, 2 / 9, 5 / 36 - _ROOT / 24),
        (5 / 36 + _ROOT / 30, 2 / 9 + _ROOT / 15, 5 / 36),
    )
    b = (5 / 18, 4 / 9, 5 / 18)
    help = r"""
    As [gauss4](#gauss4-gausslegendre-4), with three stages, at the nodes
    $\tfrac12 - \tfrac{\sqrt{15}}{10}$, $\tfrac12$ and $\tfrac12 + \tfrac{\sqrt{15}}{10}$.

    - **Source**: Hairer, Lubich and Wanner, *Geometric Numerical Integration*, II.1.3, IV.2.1, VIII.5 and VIII.6.
    - **Order**: 6, with three stages; symmetric and symplectic.
    - **Preserves**: every quadratic invariant of the state: in `newton_euler` and `hamilton` $|p|$, free of torque $T$ and $|h|$,
      and under gravity the energy. After a million steps of the heavy top $|p|^2$ to 6e-15 and the energy to 2e-16; at that step
      even $h$ about the vertical stays to 4e-15, which no law asks for.
    - **Cost**: <!-- cost -->: hardly more than `gauss4`, for with better first guesses it
      needs fewer sweeps.
    - **Choose it** for a reference with steps of one length: at 1 ms it is exact to rounding on all three motions.
    - **Refused with**: nothing; see `gauss4` for how far its sweeps reach.
    """
