"""ODEPACK's LSODA in SciPy: Adams methods, and backward differentiation formulas for stiff motions."""

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import InputError, phrase
from quatviz.physics.formulations import make_formulation
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators._scipy import ScipyIntegrator, ScipyMethod
from quatviz.physics.integrators.base import Tolerances


class Lsoda(ScipyIntegrator):
    """ODEPACK's LSODA: multistep methods of orders up to twelve that switch automatically between stiff and nonstiff
    motions.

    Step size and order are adaptive. The solver is called through Python. Since it shares no code with quatviz, it
    serves as an independent check.
    """

    name = "lsoda"
    title = "LSODA (SciPy)"
    source = "Hindmarsh 1983, ODEPACK; Petzold 1983; scipy.integrate.LSODA"
    order = 12
    sort_order = 74
    measured = (Performance(148567, 27334, ("1.1e-09", "8.5e-09", "2.9e-10")),)
    usual_tolerances = Tolerances(1e-11, 1e-11)
    solver = "LSODA"
    help = r"""
    - **Source**: Hindmarsh 1983, ODEPACK; Petzold 1983, the switch; `scipy.integrate.LSODA`.
    - **Order**: 12 at most for motions that are not stiff, 5 for stiff ones: it chooses.
    - **Preserves**: nothing exactly; the errors follow from the tolerances.
    - **Cost**: 27 us per step with gravity. Without torque, where each step covers a dozen samples that Python interpolates,
      149 us. Its lane blocks Python during a step.
    - **Choose it** as an independent check, and if a motion is stiff for a while: it takes 302 steps for the top with a drag of
      3000 N m s, 10 times as fast as `radau`. Tolerances are 1e-11 unless a lane or the run sets others, and the errors of a
      run are about a thousand times that.
    - **Refused with**: every stabilization but `baumgarte`, and formulations that change their coordinates during the run, such
      as `lie_group` and `modified_rodrigues`, since its stored values would belong to other coordinates.
    """

    def method(self, formulation: Formulation) -> ScipyMethod:
        if formulation.kernels is not None and formulation.kernels.chart is not None:
            raise InputError(
                "integrator",
                expected=phrase(
                    "a formulation that keeps its coordinates during the run, such as {one} or {other}",
                    one=make_formulation("newton_euler").titled_id,
                    other=make_formulation("hamilton").titled_id,
                ),
                found=phrase(
                    "{id}, which changes its coordinates during the run, so that a multistep method loses its stored values",
                    id=formulation.titled_id,
                ),
                remedy=phrase(
                    "choose one of these formulations, or the integrator {other}, which needs no stored values",
                    other=INTEGRATORS["radau"].display_name(),
                ),
                topic="errors#integrators",
            )
        return super().method(formulation)
