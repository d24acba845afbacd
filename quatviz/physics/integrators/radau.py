"""SciPy's Radau IIA of order five, for stiff motions and as an outside opinion."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._scipy import ScipyIntegrator
from quatviz.physics.integrators.base import Tolerances


class Radau(ScipyIntegrator):
    """Three implicit stages, an error estimate of order three, steps of its own length; written by others, in Python, which calls
    the compiled derivative. For motions that are stiff, and to hear what a program says that shares nothing with this one."""

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
    - **Preserves**: nothing exactly; what is lost follows from the tolerances.
    - **Cost**: some 300 us a step, with Python's own arithmetic around the compiled derivative, a call of which takes 1 us:
      thousands of times that of `dop853`, which is written for this. Its lane holds Python meanwhile, and answers between two
      steps.
    - **Choose it** for stiff motions, in which something dies out far faster than what is looked at, and as an outside opinion:
      stages, error estimate and step control are other people's. A top under gravity in a drag of 3000 N m s takes 369 steps for 5
      s, where `dop853` takes 2410. Tolerances are 1e-9 unless a lane or the run says otherwise.
    - **Refused with**: every stabilisation but `baumgarte`. Where a form changes its coordinates it starts anew.
    """
