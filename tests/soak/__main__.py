"""Command line of the random user: `python tests/soak`."""

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
    """Run the random user and print its report. Return 0 if there was no fault, else 1."""
    parser = argparse.ArgumentParser(
        prog="python tests/soak",
        description="Operate the real window at random until a fault, a warning or a leak occurs, and print the last actions.",
    )
    parser.add_argument("--minutes", type=float, default=2.0, help="duration (default: %(default)s)")
    parser.add_argument(
        "--actions", type=int, default=0, help="perform this number of actions, three times, instead"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the random choices (default: %(default)s)"
    )
    parser.add_argument("--log", type=Path, help="write each action to this file before it is performed")
    parser.add_argument(
        "--only", action="append", default=[], help="name of an action to perform; may be repeated"
    )
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
        os.environ["QUATVIZ_SETTINGS_DIR"] = str(settings)  # keep the user's settings unchanged
        # Warnings of child processes are not recorded: they become errors.
        os.environ["PYTHONWARNINGS"] = "error::RuntimeWarning"
        from random_user.walk import WalkLength, walk

        log_file = None if args.log is None else args.log.open("w", encoding="utf-8", buffering=1)

        def log(line: str) -> None:
            if log_file is not None:
                log_file.write(line + "\n")

        try:
            length = WalkLength(args.minutes * 60.0, args.actions)
            result = walk(length, args.seed, files, log, args.only)
        finally:
            if log_file is not None:
                log_file.close()
    print(result.report)
    return FAILED if result.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
