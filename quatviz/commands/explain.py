"""`quatviz explain PRESET LANE`: list the code that computes a lane, with files and lines.

quatviz explain heavy_top hamilton          list the code from the preset to the stored samples
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numba

import quatviz
from quatviz.base import resources
from quatviz.commands.support.terminal import CommandParser, format_table, print_json, print_safe
from quatviz.files.preset import Lane, Preset
from quatviz.files.preset_files import find_preset
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators import ExplicitRungeKutta
from quatviz.physics.integrators._kernels.runge_kutta import compile_step
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels import binder
from quatviz.physics.loads import bind, evaluate_loads, pack_loads
from quatviz.physics.loads.base import BoundLoad, Load
from quatviz.physics.mechanics.initial import Initial
from quatviz.simulation.history import History
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.lane_settings import lane_tolerances
from quatviz.simulation.schedule import segment_factory
from quatviz.simulation.simulation import Simulation
from quatviz.simulation.trajectory import TrajectoryReader

PLACE = 25


class Link(NamedTuple):
    """One step of the way from a preset to its samples: what happens, the function that does it, and its location as
    `file:line`."""

    what: str
    does: str
    location: str


def main(argv: Sequence[str]) -> int:
    """Print a list of the functions that compute a lane."""
    parser = CommandParser(
        prog="quatviz explain",
        description="List the functions that compute a lane, with files and lines, in the order of the computation.",
    )
    parser.add_argument("preset", help="name of a preset, or a TOML file")
    parser.add_argument("lane", help="a lane, such as hamilton or 'lagrange_full/split,integrator=rattle'")
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    args = parser.parse_args(argv)
    preset = quatviz.load_preset(args.preset)
    path = find_preset(args.preset, resources.preset_folder(), resources.user_preset_folder())
    links = [Link("the preset", preset.title, _display_path(path)), *chain(preset, args.lane)]
    if args.json:
        print_json(link._asdict() for link in links)
    else:
        print_safe(format_table(("", "by", "in"), links))
    return 0


def chain(preset: Preset, lane: str) -> Iterator[Link]:
    """Yield the steps from a preset to the stored samples of a lane. Raises `InputError` if the lane cannot be run."""
    preset = preset.with_run(lanes=[Lane.from_string(lane)])
    run = Simulation(preset).lanes[0]
    formulation, integrator = run.formulation, run.solver.segment.integrator
    yield _link("p and omega at t = 0", Initial.p)
    yield _link("the lane", LaneRun.__init__)
    yield _link("segments between events", segment_factory)
    yield _link("the formulation", type(formulation))
    yield _link("its state at t = 0", formulation.start)
    if formulation.has_closed_form:
        yield _link("states at any time", formulation.solution)
    else:
        yield from _compiled_links(preset, formulation, integrator)
    yield _link("stored rows", History)
    yield _link("p and omega of stored rows", formulation.observe)
    yield _link("quantities derived from them", TrajectoryReader.motion_of_rows)


def _compiled_links(preset: Preset, formulation: Formulation, integrator: Integrator) -> Iterator[Link]:
    """Yield the functions that are compiled into the loop over time steps, and the functions that make the data
    for this loop."""
    parameters = formulation.parameters(preset.body, preset.loads)
    yield _link("parameters of its kernels", formulation.parameters)
    for load in bind(preset.loads, preset.body):
        yield from _load_links(load)
    if preset.loads:
        yield _link("loads packed for kernels", pack_loads)
    yield _link("the integrator", type(integrator))
    if integrator.tolerances is not None:
        relative, absolute = integrator.tolerances
        yield _link(f"its tolerances, relative {relative:g} and absolute {absolute:g}", lane_tolerances)
    yield _link("the loop over steps", integrator.block)
    has_tableau = isinstance(integrator, ExplicitRungeKutta)
    step = compile_step if has_tableau else binder.step_for(type(integrator.method(formulation)))
    if step is not None:
        yield _link("one step, from the tableau" if has_tableau else "one step", step)
    kernels = binder.kernels_for(numba.typeof(parameters))
    yield _link("the derivative of the state", kernels.rhs)
    if preset.loads:
        yield _link("evaluation of loads", evaluate_loads)
    for description, function in (
        ("lambda", kernels.multiplier),
        ("singularity measure", kernels.singularity),
        ("change of chart after a step", kernels.chart),
        ("projection onto the constraint after a step", kernels.projection),
    ):
        if function is not None:
            yield _link(description, function)
    for part in (kernels.index3, kernels.group, kernels.momentum):
        for name, function in zip(part._fields, part, strict=True) if part is not None else ():
            yield _link(f"for special integrators: {name}", function)


def _load_links(load: BoundLoad) -> Iterator[Link]:
    load_class = type(load.load)
    if load.constant is not None:
        yield _link(f"the load {load.name}, constant", load_class.constant)
        return
    yield _link(f"the load {load.name}", load_class)
    part: Load = load.parts[0][0]
    names = {
        "torque": "torque_kernel",
        "potential gradient": "gradient_kernel",
        "force": "application_kernel",
    }
    for description, name in names.items():
        function = vars(part).get(name) or getattr(load_class, name)
        if function is not None:
            yield _link(f"its {description}", function)


def _link(description: str, function: Any) -> Link:
    return Link(description, *_locate(function))


def _locate(function: Callable[..., Any] | type) -> tuple[str, str]:
    """Return the qualified name of a function, and the location of its definition as `file:line`."""
    target = inspect.unwrap(getattr(function, "py_func", function))
    if isinstance(target, property):
        target = target.fget
    location = f"{_display_path(Path(inspect.getfile(target)))}:{inspect.getsourcelines(target)[1]}"
    return target.__qualname__.replace(".<locals>", ""), location


def _display_path(path: Path) -> str:
    """Return a path as text. A path inside a checkout is given relative to the checkout."""
    root = resources.PACKAGE.parent
    return str(path.relative_to(root) if path.is_relative_to(root) else path)
