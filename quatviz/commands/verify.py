"""`quatviz verify`: published tables, identities and reference states against runs made now.

quatviz verify                              published tables and reference states against runs made now
"""

import time
from collections.abc import Sequence

from quatviz.analysis.executors.processes import Processes
from quatviz.analysis.executors.workers import processors
from quatviz.base.markdown import table
from quatviz.commands.support.terminal import Parser, as_text, print_json, show_progress
from quatviz.verification.check import Check
from quatviz.verification.parts import PARTS

PLACE = 70


A_CHECK_MISSED = 1
_HEAD = ("", "check", "value", "reference", "error", "tolerance", "run")
_NUMBERS = (2, 3, 4, 5)

Row = tuple[str, ...]


def main(words: Sequence[str]) -> int:
    """Print every check: 0 if all are within their tolerances, 1 if one misses."""
    choice = _parser().parse_args(words)
    for name in choice.parts:
        PARTS.find(name)
    started = time.perf_counter()
    found = _found(choice.parts or list(PARTS), choice.all)
    checks = [check for part in found.values() for check in part]
    seconds = time.perf_counter() - started
    if choice.json:
        print_json(check.as_dict() for check in checks)
    elif choice.markdown:
        for name, part in found.items():
            print(f"## {PARTS[name].title}\n\n{table(_HEAD, list(map(_row, part)), _NUMBERS)}\n")
        print(_summary(checks, seconds))
    else:
        for name, part in found.items():
            print(_section(name, part, choice.verbose), end="\n\n")
        print(_summary(checks, seconds))
    return 0 if all(check.ok for check in checks) else A_CHECK_MISSED


def checks_of(name: str, full: bool) -> list[Check]:
    """All checks of a part, which a process of its own can be asked for."""
    return list(PARTS[name]().checks(full))


def _found(names: Sequence[str], full: bool) -> dict[str, list[Check]]:
    """The checks of each part. Several parts share the processors; where it is Ctrl-C that ends it no process is left behind."""
    if len(names) == 1:
        return {name: checks_of(name, full) for name in names}
    pool = Processes(min(processors(), len(names)))
    try:
        waiting = {name: pool.submit(checks_of, name, full) for name in names}
        found = {}
        for name, checks in waiting.items():
            show_progress(f"{name} ...  {sum(one.done() for one in waiting.values())} of {len(names)} parts")
            found[name] = checks.result()
        return found
    finally:
        pool.close()
        show_progress()


def _parser() -> Parser:
    parser = Parser(
        prog="quatviz verify",
        description="Compare runs made now with published tables, identities and reference states.",
        epilog="exit status: 0 all within tolerance, 1 a check missed. The first run compiles for some minutes.",
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"only these: {', '.join(PARTS)}")
    parser.add_argument(
        "--all", action="store_true", help="the whole grid: more states, steps, lanes and seeds"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--verbose", action="store_true", help="every check by itself, not the worst of each kind"
    )
    form.add_argument("--json", action="store_true", help="print every check as a list of objects")
    form.add_argument("--markdown", action="store_true", help="print every check as tables in Markdown")
    return parser


def _section(name: str, checks: Sequence[Check], verbose: bool) -> str:
    """A part in a terminal: what missed, then what passed, one row for each name unless all are asked for."""
    missed = [check for check in checks if not check.ok]
    passed = [check for check in checks if check.ok]
    rows = [*map(_row, missed), *(map(_row, passed) if verbose else _collapsed(passed))]
    title = f"{PARTS[name].title} [{name}]: {len(passed)} of {len(checks)} ok"
    return f"{title}\n{as_text(_HEAD, rows, _NUMBERS)}"


def _collapsed(checks: Sequence[Check]) -> list[Row]:
    """Of the checks of one quantity, whatever their lanes, cases and states, the one nearest to its tolerance."""
    kinds: dict[str, list[Check]] = {}
    for check in checks:
        kinds.setdefault(check.kind, []).append(check)
    return [_row(max(same, key=lambda check: check.share), len(same)) for same in kinds.values()]


def _row(check: Check, count: int = 1) -> Row:
    return (
        "ok" if check.ok else "MISS",
        check.name if count == 1 else check.kind,
        f"{check.value:.9g}" if check.reference else f"{check.value:.1e}",
        f"{check.reference:.9g}",
        f"{check.error:.1e}",
        f"{check.tolerance:.1e}",
        check.run if count == 1 else f"worst of {count}: {check.run}",
    )


def _summary(checks: Sequence[Check], seconds: float) -> str:
    missed = [check for check in checks if not check.ok]
    told = f"{len(checks)} checks in {seconds:.0f} s, {len(missed) or 'none'} missed"
    return "\n".join(
        [told, *(f"MISS  {check.name}: error {check.error:.1e} ({check.run})" for check in missed)]
    )
