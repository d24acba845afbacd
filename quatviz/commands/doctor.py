"""`quatviz doctor`: what this machine's display, OpenGL and libraries can do, and what to install.

quatviz doctor                              what this machine lacks, and how to install it
quatviz doctor --self-test                  the same, and each part of the program tried once
"""

import textwrap
from collections.abc import Sequence
from dataclasses import asdict

from quatviz.commands.support.diagnostics import SystemCheck, system_checks
from quatviz.commands.support.terminal import CommandParser, format_table, print_json, print_safe

PLACE = 110


NO_WINDOW = 1
_VERDICTS = {True: "The window can run here.", False: "The window cannot run here; see above what to do."}
_SELF_TEST_VERDICTS = {
    True: "What was tried works.",
    False: "Not everything works: see above what, and what to do.",
}


def main(argv: Sequence[str]) -> int:
    """Print the findings: 0 if the window can run here, 1 if not."""
    parser = CommandParser(
        prog="quatviz doctor",
        description="Look at Python, libraries, display, OpenGL, the kernel cache and fonts.",
        epilog="exit status: 0 the window can run here, and what was tried works, 1 not",
    )
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    parser.add_argument(
        "--self-test", action="store_true", help="try each part of the program once: half a minute or two"
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
