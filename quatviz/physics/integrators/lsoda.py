"""ODEPACK's LSODA as SciPy has it: Adams' methods, and those of backward differences where the motion is stiff."""

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import InputError, phrase
from quatviz.physics.formulations import make_formulation
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators._scipy import ScipyIntegrator, ScipyMethod
from quatviz.physics.integrators.base import Tolerances


class Lsoda(ScipyIntegrator):
    """Multistep methods of orders up to twelve, which switch by themselves between those for stiff motions and for others; steps
    and orders of their own. Written by others, and called through Python: an outside opinion."""

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
    - **Preserves**: nothing exactly; what is lost follows from the tolerances.
    - **Cost**: 27 us a step with gravity; free of torque, where each step of its own serves a dozen samples, which Python
      interpolates, 149 us. Its lane holds Python meanwhile, and answers between two steps.
    - **Choose it** as an outside opinion, and where a motion is stiff for a while: 302 steps for the top in a drag of 3000 N m s,
      10 times as quick as `radau`. Tolerances are 1e-11 unless a lane or the run says otherwise, and errors of a run some thousand
      times that.
    - **Refused with**: every stabilisation but `baumgarte`, and forms that change their coordinates on the way, such as
      `lie_group` and `modified_rodrigues`: all that it remembers would be of those before.
    """

    def method(self, formulation: Formulation) -> ScipyMethod:
        if formulation.kernels is not None and formulation.kernels.chart is not None:
            raise InputError(
                "integrator",
                expected=phrase(
                    "a formulation whose coordinates stay the same, such as {one} or {other}",
                    one=make_formulation("newton_euler").titled_id,
                    other=make_formulation("hamilton").titled_id,
                ),
                found=phrase(
                    "{id}, which changes them on the way, and with them all that a multistep method remembers",
                    id=formulation.titled_id,
                ),
                remedy=phrase(
                    "choose one of these, or {other}, which remembers one step",
                    other=INTEGRATORS["radau"].display_name(),
                ),
                topic="errors#integrators",
            )
        return super().method(formulation)
