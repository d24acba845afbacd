"""`python tests/fuzz/run.py`: try all readers with invalid files, texts and pasted codes, for any time.

Each reader is tried in its own child process, so that hangs, excessive memory and crashes are detected, reported, and their inputs
kept. An input depends only on its reader, the seed and its number: `--reader NAME --from N --inputs 1` reproduces it.
"""

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "support")]

ROUND_TIME = 60.0
"""Time [s] that a reader gets in each round after the first. Fast readers are thus tried with more inputs than slow ones."""
MAX_INPUTS = 50_000
"""Largest number of inputs of one reader in one round."""


def main(argv: Sequence[str]) -> int:
    """Return 0 if every input was read or refused, otherwise 1 after listing each fault and its file."""
    from readers import readers
    from trial import TrialResult, try_readers

    parser = argparse.ArgumentParser(prog="python tests/fuzz/run.py", description=__doc__)
    parser.add_argument(
        "--minutes", type=float, default=0.0, help="continue with further inputs for this time"
    )
    parser.add_argument(
        "--inputs",
        type=int,
        default=300,
        help="inputs of each reader in the first round (default: %(default)s)",
    )
    parser.add_argument("--from", type=int, default=0, dest="first", help="number of the first input")
    parser.add_argument("--seed", type=int, default=1, help="seed of the inputs (default: %(default)s)")
    parser.add_argument(
        "--reader", action="append", default=[], choices=list(readers()), help="may be repeated"
    )
    parser.add_argument(
        "--keep", type=Path, default=Path(tempfile.gettempdir()) / "quatviz-fuzz", help="folder for faults"
    )
    args = parser.parse_args(argv)
    names = args.reader or list(readers())
    until = time.monotonic() + 60.0 * args.minutes
    counts, next_numbers = dict.fromkeys(names, args.inputs), dict.fromkeys(names, args.first)
    total = dict.fromkeys(names, TrialResult())
    signals: list[int] = []
    for signal_number in (signal.SIGINT, signal.SIGTERM):  # the totals are still printed
        signal.signal(signal_number, lambda number, _: signals.append(number))
    is_first_round = True
    while not signals and (is_first_round or time.monotonic() < until):
        for name in names:
            started = time.monotonic()
            result = try_readers({name: counts[name]}, args.seed, args.keep, next_numbers[name])[name]
            if signals:  # the child may have received the signal, too
                break
            time_per_input = (time.monotonic() - started) / counts[name]
            next_numbers[name] += counts[name]
            counts[name] = max(1, min(MAX_INPUTS, round(ROUND_TIME / time_per_input)))
            total[name] += result
            for fault in result.faults:
                print(f"{name}: {fault}", flush=True)
            if not is_first_round and time.monotonic() >= until:
                break
        is_first_round = False
    for name, result in total.items():
        print(
            f"{name:16} {result.accepted:8} read  {result.refused:8} refused  {len(result.faults):4} faults"
        )
    print(f"{'all':16} {sum(result.accepted + result.refused for result in total.values()):8} inputs")
    return 1 if any(result.faults for result in total.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
