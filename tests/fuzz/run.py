"""`python tests/fuzz/run.py`: wrong files, texts and pastes, for as long as you like.

Every reader is tried in a child of its own: what hangs, eats memory or kills the process is found, kept and told. An input is
made from its seed and number alone, so that `--from N --inputs 1` makes it again.
"""

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "support")]


def main(argv: Sequence[str]) -> int:
    """Return 0 if every input was read or refused, otherwise 1 after listing each fault and its file."""
    from readers import readers
    from trial import TrialResult, try_readers

    parser = argparse.ArgumentParser(prog="python tests/fuzz/run.py", description=__doc__)
    parser.add_argument("--minutes", type=float, default=0.0, help="go on with further inputs for so long")
    parser.add_argument(
        "--inputs", type=int, default=300, help="of each reader in one go (default: %(default)s)"
    )
    parser.add_argument("--from", type=int, default=0, dest="first", help="the number of the first one")
    parser.add_argument("--seed", type=int, default=1, help="which sequence of inputs (default: %(default)s)")
    parser.add_argument(
        "--reader", action="append", default=[], choices=list(readers()), help="may be repeated"
    )
    parser.add_argument(
        "--keep", type=Path, default=Path(tempfile.gettempdir()) / "quatviz-fuzz", help="for what is found"
    )
    args = parser.parse_args(argv)
    until, first, wrong = time.monotonic() + 60.0 * args.minutes, args.first, 0
    total: dict[str, TrialResult] = {}
    ended: list[int] = []
    for signal_number in (signal.SIGINT, signal.SIGTERM):  # what was counted until then is told
        signal.signal(signal_number, lambda number, _: ended.append(number))
    while True:
        for name in args.reader or readers():
            outcome = try_readers({name: args.inputs}, args.seed, args.keep, first)[name]
            if ended:  # the child may have heard it, too
                break
            total[name] = total.get(name, TrialResult()) + outcome
            for fault in outcome.faults:
                wrong += 1
                print(f"{name}: {fault}", flush=True)
        first += args.inputs
        if ended or time.monotonic() >= until:
            break
    for name, outcome in total.items():
        print(
            f"{name:16} {outcome.accepted:8} read  {outcome.refused:8} refused  {len(outcome.faults):4} faults"
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
