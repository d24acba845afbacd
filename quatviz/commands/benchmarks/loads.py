"""`quatviz bench loads`: the time of a step by kind and number of loads, beside none.

However many loads are constant, in the body or in space, they are added up before a run: a step under any number of them
should cost what it costs under one. What depends on time, on omega or on p in another way is a row each.
"""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import quatviz
from quatviz.commands.benchmarks._results import Finding, Growth
from quatviz.commands.benchmarks._timing import ROUNDS, Timed, by_turns, figure, in_one_lane, step_of
from quatviz.physics.loads import LOADS
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.damping import Damping
from quatviz.physics.loads.point_force import PointForce
from quatviz.physics.loads.spring import Spring
from quatviz.physics.loads.torque import Torque

PLACE = 30

FORMS = ("newton_euler", "hamilton")
NUMBERS = (1, 2, 4, 8, 16, 32)
SAMPLES, EVERY = 200, 100
CONSTANT = "constant point forces"
ADDED_UP = 1.1
"""What any number of constant loads may cost, of what one does."""

MANY: dict[str, Callable[[int], Load]] = {
    CONSTANT: lambda n: PointForce(force=[1.0, 2.0, -1.5 + 0.1 * n], point=[0.3, -0.2, 0.7]),
    "torques of time": lambda n: Torque(torque=[f"0.4*sin({n}*t)", 0.1, 0.2], frame="body"),
    "springs": lambda n: Spring(stiffness=4.0 + n, point=[0.5, -0.3, 0.2], anchor=[1.0, 0.4, -2.0]),
    "dampings": lambda n: Damping(coefficient=0.1 + 0.01 * n),
}
"""What grows in number: the n-th of each."""


def measure(rounds: int = ROUNDS) -> Iterator[Finding]:
    """For each form: a step [ns] under each kind of load beside one under none, and how it grows with their number."""
    for form in FORMS:
        kinds: dict[str, Sequence[Load]] = {"no load": ()}
        kinds |= {kind.name: kind.samples()[:1] for kind in LOADS.values() if kind.samples()}
        taken = by_turns({name: _under(form, loads) for name, loads in kinds.items()}, rounds)
        none = figure("no load", taken.pop("no load"), "ns/step")
        yield from (figure(f"{form}, {name}", times, "ns/step", none) for name, times in taken.items())
        for what, nth in MANY.items():
            yield from _growing(form, what, nth, rounds)


def _under(form: str, loads: Sequence[Load]) -> Timed:
    preset = replace(quatviz.load_preset("torque_free"), loads=tuple(loads))
    return step_of(in_one_lane(preset, form, SAMPLES, EVERY))


def _growing(form: str, what: str, nth: Callable[[int], Load], rounds: int) -> Iterator[Finding]:
    runs = {str(count): _under(form, [nth(number) for number in range(count)]) for count in NUMBERS}
    taken = by_turns(runs, rounds)
    if what == CONSTANT:
        one = figure("one of them", taken[str(NUMBERS[0])], "ns/step")
        last = str(NUMBERS[-1])
        all_of_them = figure(f"{form}, {last} {what}", taken[last], "ns/step", one)
        yield replace(all_of_them, reach=ADDED_UP * one.value)
    values = [statistics.median(times) for times in taken.values()]
    yield Growth(f"{form}, {what}", "number of loads", NUMBERS, values, "ns/step")
