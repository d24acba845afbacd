"""The Gauss-Legendre method of three stages."""

import math

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._gauss import GaussLegendre

_ROOT = math.sqrt(15.0)


class Gauss6(GaussLegendre):
    """The implicit Gauss-Legendre method of three coupled stages, with an error of order dt^6.

    It preserves the same invariants as `gauss4`, and its stages are iterated in the same way.
    """

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
    - **Preserves**: every quadratic invariant of the state: in `newton_euler` and `hamilton` $|p|$, without torque $T$ and $|h|$,
      and under gravity the energy. After a million steps of the heavy top $|p|^2$ is constant to 6e-15 and the energy to 2e-16. At
      that step even the vertical component of $h$ is constant to 4e-15, although the method does not preserve it.
    - **Cost**: <!-- cost -->: hardly more than `gauss4`, since better initial guesses save sweeps.
    - **Choose it** as a reference with fixed steps: at 1 ms it is accurate to rounding on all three motions.
    - **Refused with**: nothing; see `gauss4` for the convergence of its sweeps.
    """
