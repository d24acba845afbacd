"""`quatviz doctor`: check display, OpenGL and libraries of this machine, and say what to install.

quatviz doctor                              check what is missing, and how to install it
quatviz doctor --self-test                  also try each part of the program
"""

import textwrap
from collections.abc import Sequence
from dataclasses import asdict

from quatviz.commands.support.diagnostics import SystemCheck, system_checks
from quatviz.commands.support.terminal import CommandParser, format_table, print_json, print_safe

PLACE = 110


NO_WINDOW = 1
_VERDICTS = {True: "The window can run here.", False: "The window cannot run here; see the remedies above."}
_SELF_TEST_VERDICTS = {
    True: "All tests passed.",
    False: "Some tests failed; see the remedies above.",
}


def main(argv: Sequence[str]) -> int:
    """Check this machine and print the results. Return 0 if the window can run here, otherwise 1."""
    parser = CommandParser(
        prog="quatviz doctor",
        description="Check Python, libraries, display, OpenGL, the kernel cache and fonts.",
        epilog="exit status: 0 the window can run here and all tests passed, 1 otherwise",
    )
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    parser.add_argument(
        "--self-test",
        action="store_true",
        help="also try each part of the program once (half a minute to two)",
    )
    args = parser.parse_args(argv)
    checks = _run_self_test() if args.self_test else system_checks()
    passed = all(check.ok for check in checks if check.needed)
    if args.json:
        print_json(map(asdict, checks))
    else:
        print_safe(
            _format_checks(checks, _SELF_TEST_VERDICTS[passed] if args.self_test else _VERDICTS[passed])
        )
    return 0 if passed else NO_WINDOW


def _run_self_test() -> list[SystemCheck]:
    from quatviz.commands.support.self_test import run_trials, virtual_display

    with virtual_display():
        return [*system_checks(), *run_trials()]


def _format_checks(checks: Sequence[SystemCheck], verdict: str) -> str:
    rows = [(_status_mark(check), check.name, check.value) for check in checks]
    failed_checks = [check for check in checks if check.remedy]
    lines = [format_table(("", "what", "found"), rows), ""]
    for check in failed_checks:
        lines += textwrap.wrap(f"{check.name}: {check.remedy}", 110, subsequent_indent="    ")
    lines += [""] if failed_checks else []
    lines.append(verdict)
    return "\n".join(lines)


def _status_mark(check: SystemCheck) -> str:
    if check.ok:
        return "ok"
    return "FAIL" if check.needed else "note"
