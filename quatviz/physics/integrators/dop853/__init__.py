"""The adaptive eighth-order method of Dormand and Prince, with dense output at the samples."""

from typing import Any

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._kernels.adaptive import ROW, TRIED, adaptive_block
from quatviz.physics.integrators.base import Integrator, Tolerances
from quatviz.physics.integrators.dop853.kernel import Dop853Method, make_method


class Dop853(Integrator):
    """An adaptive method of order eight with twelve evaluations per step.

    If a sample falls into a step, three more evaluations are needed, with which an interpolant of order seven gives
    the state at the sample. The estimated error of a step is kept below the tolerances, which are 1e-12 unless the
    lane or the run sets others. A motion that is fast only at times is thus resolved. It preserves nothing exactly,
    but its errors are small.
    """

    name = "dop853"
    title = "Dormand–Prince 8(5,3)"
    source = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.5, II.6, II.10"
    order = 8
    sort_order = 70
    measured = (Performance(1110, 450, ("3.6e-11", "3.7e-11", "1.5e-11")),)
    fixed_step = False
    usual_tolerances = Tolerances(1e-12, 1e-12)
    """Default tolerances, near the limit of double precision, where an adaptive method has its advantage."""
    block = staticmethod(adaptive_block)

    def method(self, formulation: Formulation) -> Dop853Method:
        tolerances = self.tolerances or self.usual_tolerances
        return make_method(*tolerances, self.load_changes, len(formulation.component_names))

    def with_load_changes(self, method: Any) -> Any:
        method.memory[ROW] = 0.0
        return method._replace(changes=self.load_changes)

    def steps_made(self, method: Any) -> int | None:
        return int(method.memory[TRIED])

    def explain_failure(self) -> str:
        return phrase(
            "the steps became more than a hundred times shorter than dt: the motion is singular in these coordinates or "
            "much faster than dt suggests. Try a smaller dt, a larger tolerance, or another formulation"
        )
