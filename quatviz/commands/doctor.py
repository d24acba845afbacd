"""`quatviz doctor`: what this machine's display, OpenGL and libraries can do, and what to install.

quatviz doctor                              what this machine lacks, and how to install it
"""

import argparse
import textwrap
from collections.abc import Sequence
from dataclasses import asdict

from quatviz.commands._machine import Finding, findings
from quatviz.commands._text import as_text, print_json

PLACE = 110


NO_WINDOW = 1


def main(words: Sequence[str]) -> int:
    """Print the findings: 0 if the window can run here, 1 if not."""
    parser = argparse.ArgumentParser(
        prog="quatviz doctor",
        description="Look at Python, libraries, display, OpenGL, the kernel cache and fonts.",
        epilog="exit status: 0 the window can run here, 1 it cannot",
    )
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    choice = parser.parse_args(words)
    found = findings()
    able = all(finding.ok for finding in found if finding.needed)
    if choice.json:
        print_json(map(asdict, found))
    else:
        print(_text(found, able))
    return 0 if able else NO_WINDOW


def _text(found: Sequence[Finding], able: bool) -> str:
    rows = [(_mark(finding), finding.name, finding.value) for finding in found]
    troubles = [finding for finding in found if finding.remedy]
    lines = [as_text(("", "what", "found"), rows), ""]
    for finding in troubles:
        lines += textwrap.wrap(f"{finding.name}: {finding.remedy}", 110, subsequent_indent="    ")
    lines += [""] if troubles else []
    lines.append("The window can run here." if able else "The window cannot run here; see above what to do.")
    return "\n".join(lines)


def _mark(finding: Finding) -> str:
    if finding.ok:
        return "ok"
    return "FAIL" if finding.needed else "note"
