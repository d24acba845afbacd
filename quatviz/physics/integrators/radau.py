"""SciPy's fifth-order Radau IIA method, for stiff motions and as an independent check."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._scipy import ScipyIntegrator
from quatviz.physics.integrators.base import Tolerances


class Radau(ScipyIntegrator):
    """SciPy's Radau IIA method: three implicit stages of order five, an error estimate of order three, and adaptive
    steps.

    The solver is Python code that calls the compiled derivative. It is meant for stiff motions, and as a check that
    shares no code with quatviz.
    """

    name = "radau"
    title = "Radau IIA 5 (SciPy)"
    source = "Hairer, Wanner, Solving Ordinary Differential Equations II, IV.8; scipy.integrate.Radau"
    order = 5
    sort_order = 72
    measured = (Performance(477749, 308967, ("4.7e-10", "3.6e-10", "2.9e-10")),)
    usual_tolerances = Tolerances(1e-9, 1e-9)
    solver = "Radau"
    help = r"""
    - **Source**: Hairer and Wanner, *Solving Ordinary Differential Equations II*, IV.8; `scipy.integrate.Radau`.
    - **Order**: 5, with three implicit stages; an interpolant of order 3 gives the samples.
    - **Preserves**: nothing exactly; the errors follow from the tolerances.
    - **Cost**: about 300 us per step, for Python arithmetic around the compiled derivative, a call of which takes 1 us. That is
      thousands of times the cost of `dop853`, which is compiled. Its lane blocks Python during a step. A steady rotation takes
      20 to 28 steps per radian at tolerances of 1e-9, where `dop853` takes 4: 285 000 steps for 1000 s at 10 rad/s.
    - **Choose it** for stiff motions, in which one part decays much faster than the motion of interest, and as an independent
      check: stages, error estimate and step control share no code with quatviz. A top under gravity with a drag of 3000 N m s
      takes 369 steps for 5 s, whereas `dop853` takes 2410. Tolerances are 1e-9 unless a lane or the run sets others.
    - **Refused with**: every stabilization but `baumgarte`. It restarts when a formulation changes its coordinates.
    """
