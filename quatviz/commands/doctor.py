"""`quatviz doctor`: what this machine's display, OpenGL and libraries can do, and what to install.

quatviz doctor                              what this machine lacks, and how to install it
quatviz doctor --self-test                  the same, and each part of the program tried once
"""

import textwrap
from collections.abc import Sequence
from dataclasses import asdict

from quatviz.commands.support.diagnostics import Finding, findings
from quatviz.commands.support.terminal import Parser, as_text, print_json, say

PLACE = 110


NO_WINDOW = 1
_LOOKED = {True: "The window can run here.", False: "The window cannot run here; see above what to do."}
_TRIED = {
    True: "What was tried works.",
    False: "Not everything works: see above what, and what to do.",
}


def main(words: Sequence[str]) -> int:
    """Print the findings: 0 if the window can run here, 1 if not."""
    parser = Parser(
        prog="quatviz doctor",
        description="Look at Python, libraries, display, OpenGL, the kernel cache and fonts.",
        epilog="exit status: 0 the window can run here, and what was tried works, 1 not",
    )
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    parser.add_argument(
        "--self-test", action="store_true", help="try each part of the program once: half a minute or two"
    )
    choice = parser.parse_args(words)
    found = _tried() if choice.self_test else findings()
    able = all(finding.ok for finding in found if finding.needed)
    if choice.json:
        print_json(map(asdict, found))
    else:
        say(_text(found, _TRIED[able] if choice.self_test else _LOOKED[able]))
    return 0 if able else NO_WINDOW


def _tried() -> list[Finding]:
    from quatviz.commands.support.self_test import display, trials

    with display():
        return [*findings(), *trials()]


def _text(found: Sequence[Finding], ending: str) -> str:
    rows = [(_mark(finding), finding.name, finding.value) for finding in found]
    troubles = [finding for finding in found if finding.remedy]
    lines = [as_text(("", "what", "found"), rows), ""]
    for finding in troubles:
        lines += textwrap.wrap(f"{finding.name}: {finding.remedy}", 110, subsequent_indent="    ")
    lines += [""] if troubles else []
    lines.append(ending)
    return "\n".join(lines)


def _mark(finding: Finding) -> str:
    if finding.ok:
        return "ok"
    return "FAIL" if finding.needed else "note"
