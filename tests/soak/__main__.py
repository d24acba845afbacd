"""`python tests/soak`: the random user, for as long as you like."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from quatviz import bootstrap

FAILED = 1


def main(argv: Sequence[str]) -> int:
    """Use the window at random: 0 if nothing went wrong, else 1 with the story."""
    parser = argparse.ArgumentParser(
        prog="python tests/soak",
        description="A random user drives the real window: any fault, warning or leak ends it with the last actions.",
    )
    parser.add_argument("--minutes", type=float, default=2.0, help="for how long (default: %(default)s)")
    parser.add_argument("--acts", type=int, default=0, help="instead: do so many things, three times over")
    parser.add_argument("--seed", type=int, default=1, help="which user (default: %(default)s)")
    parser.add_argument("--log", type=Path, help="write each action to this file before it is done")
    parser.add_argument("--only", action="append", default=[], help="a kind of action; may be repeated")
    args = parser.parse_args(argv)
    if bootstrap.has_display(sys.platform, os.environ):
        return _walk(args)
    with bootstrap.virtual_display() as display:
        environ = bootstrap.x11_environment(os.environ, DISPLAY=display)
        return subprocess.run(
            [sys.executable, Path(__file__).parent, *argv], env=environ, check=False
        ).returncode


def _walk(args: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="quatviz-random-user-") as folder:
        settings, files = Path(folder) / "settings", Path(folder) / "files"
        files.mkdir()
        os.environ["QUATVIZ_SETTINGS_DIR"] = str(settings)  # nothing here may touch a person's own
        os.environ["PYTHONWARNINGS"] = (
            "error::RuntimeWarning"  # in processes that it starts: nobody hears them warn
        )
        from random_user.walk import WalkLength, walk

        log = None if args.log is None else args.log.open("w", encoding="utf-8", buffering=1)

        def tell(line: str) -> None:
            if log is not None:
                log.write(line + "\n")

        try:
            length = WalkLength(args.minutes * 60.0, args.acts)
            result = walk(length, args.seed, files, tell, args.only)
        finally:
            if log is not None:
                log.close()
    print(result.report)
    return FAILED if result.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
