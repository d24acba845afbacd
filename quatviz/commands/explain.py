"""`quatviz explain PRESET LANE`: the chain from a preset to a stored sample, with files and lines.

quatviz explain heavy_top hamilton          what computes this lane, from the preset to the stored sample
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numba

import quatviz
from quatviz.base import resources
from quatviz.commands.support.terminal import Parser, as_text, print_json, say
from quatviz.files.preset import Lane, Preset
from quatviz.files.preset_files import find_preset
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators import ExplicitRungeKutta
from quatviz.physics.integrators._runge_kutta import step_of
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels import binder
from quatviz.physics.loads import _kernels as load_kernels
from quatviz.physics.loads import acting, bind
from quatviz.physics.loads.base import BoundLoad, Load
from quatviz.physics.mechanics.initial import Initial
from quatviz.simulation.history import History
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.lane_settings import tolerances_of
from quatviz.simulation.schedule import segments_of
from quatviz.simulation.simulation import Simulation
from quatviz.simulation.trajectory import TrajectoryReader

PLACE = 25


class Link(NamedTuple):
    """One link of the chain: what happens, what does it, and where that stands as `file:line`."""

    what: str
    does: str
    place: str


def main(words: Sequence[str]) -> int:
    """Print the chain of one lane."""
    parser = Parser(
        prog="quatviz explain",
        description="What computes a lane: every file that a person has to read to follow it, in the order of the run.",
    )
    parser.add_argument("preset", help="a preset's name, or a TOML file")
    parser.add_argument("lane", help="a lane, such as hamilton or 'lagrange_full/split,integrator=rattle'")
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    choice = parser.parse_args(words)
    preset = quatviz.load_preset(choice.preset)
    path = find_preset(choice.preset, resources.preset_folder(), resources.own_preset_folder())
    found = [Link("the preset", preset.title, _shown(path)), *chain(preset, choice.lane)]
    if choice.json:
        print_json(link._asdict() for link in found)
    else:
        say(as_text(("", "by", "in"), found))
    return 0


def chain(preset: Preset, lane: str) -> Iterator[Link]:
    """The links from a preset to the stored samples of a lane; `InputError` where it cannot be run."""
    preset = preset.with_run(lanes=[Lane.from_string(lane)])
    run = Simulation(preset).lanes[0]
    form, integrator = run.formulation, run.integrator
    yield _link("p and omega at t = 0", Initial.p)
    yield _link("the lane", LaneRun.__init__)
    yield _link("what a lane has between two events", segments_of)
    yield _link("the formulation", type(form))
    yield _link("its state at t = 0", form.start)
    if form.closed_form:
        yield _link("the states at any time", form.solution)
    else:
        yield from _compiled(preset, form, integrator)
    yield _link("the stored rows", History)
    yield _link("p and omega of stored rows", form.observe)
    yield _link("every quantity of them", TrajectoryReader.of)


def _compiled(preset: Preset, form: Formulation, integrator: Integrator) -> Iterator[Link]:
    """What the loop over steps is made of: the functions that are compiled, and what they read."""
    parameters = form.parameters(preset.body, preset.loads)
    yield _link("what its kernels read", form.parameters)
    for load in bind(preset.loads, preset.body):
        yield from _load(load)
    if preset.loads:
        yield _link("all loads, for kernels", load_kernels.pack)
    yield _link("the integrator", type(integrator))
    if integrator.tolerances is not None:
        relative, absolute = integrator.tolerances
        yield _link(f"its tolerances, relative {relative:g} and absolute {absolute:g}", tolerances_of)
    yield _link("the loop over steps", integrator.block)
    tableau = isinstance(integrator, ExplicitRungeKutta)
    step = step_of if tableau else binder.step_bound_to(type(integrator.method(form)))
    if step is not None:
        yield _link("one step, from the tableau" if tableau else "one step", step)
    kernels = binder.bound_to(numba.typeof(parameters))
    yield _link("the derivative of the state", kernels.rhs)
    if preset.loads:
        yield _link("loads in it", acting)
    for what, function in (
        ("lambda", kernels.multiplier),
        ("distance from the singularity", kernels.singularity),
        ("change of coordinates after a step", kernels.chart),
        ("back to the constraint after a step", kernels.projection),
    ):
        if function is not None:
            yield _link(what, function)
    for part in (kernels.index3, kernels.group, kernels.momentum):
        for name, function in zip(part._fields, part, strict=True) if part is not None else ():
            yield _link(f"for integrators that ask: {name}", function)


def _load(load: BoundLoad) -> Iterator[Link]:
    kind = type(load.load)
    if load.constant is not None:
        yield _link(f"the load {load.name}, constant", kind.constant)
        return
    yield _link(f"the load {load.name}", kind)
    part: Load = load.parts[0][0]
    names = {
        "torque": "torque_kernel",
        "potential's slope": "gradient_kernel",
        "force": "application_kernel",
    }
    for what, name in names.items():
        function = vars(part).get(name) or getattr(kind, name)
        if function is not None:
            yield _link(f"its {what}", function)


def _link(what: str, function: Any) -> Link:
    return Link(what, *_place(function))


def _place(function: Callable[..., Any] | type) -> tuple[str, str]:
    """A function's name, with its class or module, and where it is written."""
    plain = inspect.unwrap(getattr(function, "py_func", function))
    if isinstance(plain, property):
        plain = plain.fget
    place = f"{_shown(Path(inspect.getfile(plain)))}:{inspect.getsourcelines(plain)[1]}"
    return plain.__qualname__.replace(".<locals>", ""), place


def _shown(path: Path) -> str:
    """A path, in a checkout as one types it there."""
    root = resources.PACKAGE.parent
    return str(path.relative_to(root) if path.is_relative_to(root) else path)
