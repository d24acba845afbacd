"""`quatviz verify`: published tables, identities and reference states against runs made now.

quatviz verify                              published tables and reference states against runs made now
"""

import time
from collections.abc import Sequence

from quatviz.analysis.executors.processes import ProcessWorkers
from quatviz.analysis.executors.workers import processor_count
from quatviz.base.markdown import format_markdown_table
from quatviz.commands.support.terminal import CommandParser, format_table, print_json, show_progress
from quatviz.verification.check import Check
from quatviz.verification.parts import PARTS

PLACE = 70


CHECK_FAILED = 1
_HEADER = ("", "check", "value", "reference", "error", "tolerance", "run")
_NUMBER_COLUMNS = (2, 3, 4, 5)

Row = tuple[str, ...]


def main(argv: Sequence[str]) -> int:
    """Print every check: 0 if all are within their tolerances, 1 if one misses."""
    args = _parser().parse_args(argv)
    for name in args.parts:
        PARTS.find(name)
    started = time.perf_counter()
    checks_by_part = _run_checks(args.parts or list(PARTS), args.all)
    checks = [check for part in checks_by_part.values() for check in part]
    seconds = time.perf_counter() - started
    if args.json:
        print_json(check.as_dict() for check in checks)
    elif args.markdown:
        for name, part in checks_by_part.items():
            print(
                f"## {PARTS[name].title}\n\n{format_markdown_table(_HEADER, list(map(_row, part)), _NUMBER_COLUMNS)}\n"
            )
        print(_summary(checks, seconds))
    else:
        for name, part in checks_by_part.items():
            print(_format_section(name, part, args.verbose), end="\n\n")
        print(_summary(checks, seconds))
    return 0 if all(check.ok for check in checks) else CHECK_FAILED


def checks_of(name: str, full: bool) -> list[Check]:
    """All checks of a part, which a process of its own can be asked for."""
    return list(PARTS[name]().checks(full))


def _run_checks(names: Sequence[str], full: bool) -> dict[str, list[Check]]:
    """The checks of each part. Several parts share the processors; where it is Ctrl-C that ends it no process is left behind."""
    if len(names) == 1:
        return {name: checks_of(name, full) for name in names}
    pool = ProcessWorkers(min(processor_count(), len(names)))
    try:
        futures = {name: pool.submit(checks_of, name, full) for name in names}
        checks_by_part = {}
        for name, checks in futures.items():
            show_progress(
                f"{name} ...  {sum(future.done() for future in futures.values())} of {len(names)} parts"
            )
            checks_by_part[name] = checks.result()
        return checks_by_part
    finally:
        pool.close()
        show_progress()


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="quatviz verify",
        description="Compare runs made now with published tables, identities and reference states.",
        epilog="exit status: 0 all within tolerance, 1 a check missed. The first run compiles for some minutes.",
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"only these: {', '.join(PARTS)}")
    parser.add_argument(
        "--all", action="store_true", help="the whole grid: more states, steps, lanes and seeds"
    )
    output_format = parser.add_mutually_exclusive_group()
    output_format.add_argument(
        "--verbose", action="store_true", help="every check by itself, not the worst of each kind"
    )
    output_format.add_argument("--json", action="store_true", help="print every check as a list of objects")
    output_format.add_argument(
        "--markdown", action="store_true", help="print every check as tables in Markdown"
    )
    return parser


def _format_section(name: str, checks: Sequence[Check], verbose: bool) -> str:
    """A part in a terminal: what missed, then what passed, one row for each name unless all are asked for."""
    failed = [check for check in checks if not check.ok]
    passed = [check for check in checks if check.ok]
    rows = [*map(_row, failed), *(map(_row, passed) if verbose else _worst_checks(passed))]
    title = f"{PARTS[name].title} [{name}]: {len(passed)} of {len(checks)} ok"
    return f"{title}\n{format_table(_HEADER, rows, _NUMBER_COLUMNS)}"


def _worst_checks(checks: Sequence[Check]) -> list[Row]:
    """Of the checks of one quantity, whatever their lanes, cases and states, the one nearest to its tolerance."""
    checks_by_kind: dict[str, list[Check]] = {}
    for check in checks:
        checks_by_kind.setdefault(check.kind, []).append(check)
    return [
        _row(max(group, key=lambda check: check.tolerance_fraction), len(group))
        for group in checks_by_kind.values()
    ]


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
    failed = [check for check in checks if not check.ok]
    headline = f"{len(checks)} checks in {seconds:.0f} s, {len(failed) or 'none'} missed"
    return "\n".join(
        [headline, *(f"MISS  {check.name}: error {check.error:.1e} ({check.run})" for check in failed)]
    )
