"""`quatviz verify`: compare the program with published tables, identities and reference states.

quatviz verify                              compare runs with published tables and reference states
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
    """Print the results of all checks. Return 0 if all are within their tolerances, otherwise 1."""
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
    """Return all checks of the part called `name`. The function is public because worker processes call it."""
    return list(PARTS[name]().checks(full))


def _run_checks(names: Sequence[str], full: bool) -> dict[str, list[Check]]:
    """Return the checks of each part, computed in parallel. Ctrl-C ends all worker processes."""
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
        description="Compare the program with published tables, identities and reference states.",
        epilog="exit status: 0 all within tolerance, 1 a check failed. The first run compiles for some minutes.",
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"run only these parts: {', '.join(PARTS)}")
    parser.add_argument(
        "--all", action="store_true", help="complete verification: more states, steps, lanes and seeds"
    )
    output_format = parser.add_mutually_exclusive_group()
    output_format.add_argument(
        "--verbose", action="store_true", help="print every check, not only the worst of each group"
    )
    output_format.add_argument("--json", action="store_true", help="print every check as a list of objects")
    output_format.add_argument(
        "--markdown", action="store_true", help="print every check as tables in Markdown"
    )
    return parser


def _format_section(name: str, checks: Sequence[Check], verbose: bool) -> str:
    """Return the checks of a part as text for a terminal: first failed checks, then passed ones.

    Checks of one group share a row unless `verbose` is True.
    """
    failed = [check for check in checks if not check.ok]
    passed = [check for check in checks if check.ok]
    rows = [*map(_row, failed), *(map(_row, passed) if verbose else _worst_checks(passed))]
    title = f"{PARTS[name].title} [{name}]: {len(passed)} of {len(checks)} ok"
    return f"{title}\n{format_table(_HEADER, rows, _NUMBER_COLUMNS)}"


def _worst_checks(checks: Sequence[Check]) -> list[Row]:
    """Return, for each group of checks, the check whose error is nearest to its tolerance."""
    checks_by_group: dict[str, list[Check]] = {}
    for check in checks:
        checks_by_group.setdefault(check.group, []).append(check)
    return [
        _row(max(group, key=lambda check: check.tolerance_fraction), len(group))
        for group in checks_by_group.values()
    ]


def _row(check: Check, count: int = 1) -> Row:
    return (
        "ok" if check.ok else "MISS",
        check.name if count == 1 else check.group,
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
