"""A Dask cluster: `quatviz[cluster]` here, and quatviz where its workers are.

All that is said to Dask is said by one thread, so that a window never waits for a network. What travels is bytes that Python's
own `pickle.loads` turns into work: a worker that lacks quatviz then fails the piece of work, and not itself.
"""

import json
import logging
import pickle
import queue
import socket
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from numba import cloudpickle

from quatviz.analysis.executors.cancellation import stoppable
from quatviz.analysis.executors.identity import PROCESSOR, Identity, differences, identity
from quatviz.analysis.executors.workers import Lost, Workers
from quatviz.base.errors import InputError, Phrase, phrase
from quatviz.files.limits import read_limited

log = logging.getLogger(__name__)

PATIENCE = 5.0
"""Within which a scheduler has to answer [s]."""
ANY = "?processors=any"
"""Behind an address: workers may have other processors than this machine, and other last digits."""
_TEND = 0.5
"""Between two looks at the workers [s]."""
_PARTING = 2.0
"""That is waited for the last words to a scheduler [s]."""
_FILE, _PORT = ".json", 8786
_TOPIC = "clusters#refusals"


@dataclass(eq=False)
class _Piece:
    """A piece of work that was handed in."""

    letter: bytes
    future: Future[Any]
    sent: Any = None
    """Dask's future of it."""
    allowed: frozenset[str] | None = None
    """The workers that it was sent to; None where that is any."""


class Cluster(Workers):
    """The workers of a Dask scheduler at an address such as `tcp://host:8786`, in a scheduler's file (`.json`), or of a client.

    `InputError` where the scheduler does not answer within `PATIENCE`, or one of its workers computes otherwise than this
    installation, be it in the last digit: with `waits` from here, else through every future. A worker that comes later and
    differs is left out. `module` is that whose functions are handed in, which decides what is compared."""

    def __init__(self, said: Any, module: str, *, waits: bool = True) -> None:
        self._said, self._module = said, module
        self._address = str(said).removesuffix(ANY) if isinstance(said, str) else str(said.scheduler.address)
        self._here: dict[str, str] = {}
        """What workers are compared with."""
        self._inbox: queue.SimpleQueue[_Piece | None] = queue.SimpleQueue()
        self._pieces: set[_Piece] = set()
        self._good: dict[str, int] = {}
        """The workers that compute as this installation does, with how many threads each."""
        self._left_out: dict[str, str] = {}
        """The others, and how they differ."""
        self._known: set[str] = set()
        """Ids of workers that were asked."""
        self._worked = False
        """Whether there ever was one of them."""
        self._fault: Exception | None = None
        self._closed = False
        self._ended = False
        """Whether nobody takes from the inbox any more."""
        self._connected = threading.Event()
        self._thread = threading.Thread(target=self._work, name="quatviz-cluster", daemon=True)
        self._thread.start()
        if waits:
            self._connected.wait()
            if self._fault is not None:
                self.close()
                raise self._fault

    @property
    def jobs(self) -> int:
        return max(sum(self._good.values()), 1)

    @property
    def title(self) -> str:
        return phrase("{count} workers of {address}", count=len(self._good), address=self._address)

    @property
    def lack(self) -> str:
        if not self._connected.is_set():
            return phrase("Connecting to {address}", address=self._address)
        if self._good or self._fault is not None:
            return ""
        return phrase("Waiting for workers of {address}", address=self._address)

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        if self._closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        piece = _Piece(cloudpickle.dumps((work, arguments, named)), Future())
        self._inbox.put(piece)
        if self._ended:
            self._give_back()
        return piece.future

    def close(self) -> None:
        """Take back what is not computed; what is being computed hears that it is to stop, and nobody waits for it."""
        self._closed = True
        self._inbox.put(None)
        self._thread.join(_PARTING)

    # --- in the thread

    def _work(self) -> None:
        client: Any = None
        try:
            client = self._connect()
            self._here = dict(identity(self._module))
            if isinstance(self._said, str) and self._said.endswith(ANY):
                del self._here[PROCESSOR]
            self._look_at_workers(client)
            if self._left_out:
                raise self._refusal()
            self._connected.set()
            while self._serve(client):
                self._tend(client)
        except InputError as refusal:
            self._fault = refusal
        except Exception as lost:
            log.exception("the scheduler %s was lost", self._address)
            self._fault = BrokenExecutor(f"{self._address}: {lost}")
        finally:
            self._connected.set()
            self._end(client)

    def _connect(self) -> Any:
        if not isinstance(self._said, str):
            return self._said
        try:
            from distributed import Client
        except ImportError as lack:
            raise InputError(
                "the scheduler", expected="the library that speaks with it", found=str(lack),
                remedy='install it: pip install "quatviz[cluster]"', topic=_TOPIC,
            ) from lack  # fmt: skip
        try:
            address = self._found_address()
            return Client(address, timeout=PATIENCE, set_as_default=False)
        except Exception as lack:  # whoever answers there may say anything
            raise InputError(
                phrase("the scheduler {address}", address=self._address),
                expected=phrase("one that answers within {seconds:g} s", seconds=PATIENCE),
                found=str(lack) or type(lack).__name__,
                remedy="start one with `dask scheduler`, and look whether host and port are those that it says", topic=_TOPIC,
            ) from lack  # fmt: skip

    def _found_address(self) -> str:
        """The address, or that in a scheduler's file. Where nobody listens that is known at once."""
        address = self._address
        if address.endswith(_FILE):
            address = str(json.loads(read_limited(Path(address)))["address"])
        address = address if "://" in address else f"tcp://{address}"
        there = urlsplit(address)
        if there.scheme in ("tcp", "tls"):
            socket.create_connection((there.hostname or "", there.port or _PORT), PATIENCE).close()
        return address

    def _serve(self, client: Any) -> bool:
        """Send what is handed in meanwhile; whether there is more to come."""
        try:
            piece = self._inbox.get(timeout=_TEND)
        except queue.Empty:
            return not self._closed
        while piece is not None:
            self._pieces.add(piece)
            self._send(client, piece)
            try:
                piece = self._inbox.get_nowait()
            except queue.Empty:
                return not self._closed
        return False

    def _send(self, client: Any, piece: _Piece) -> None:
        piece.allowed = frozenset(self._good) if self._left_out else None
        if piece.allowed is not None and not piece.allowed:
            piece.sent = None  # until there are workers
            return
        workers = sorted(piece.allowed) if piece.allowed else None
        called = pickle.dumps(_Called(_answer, (self._module, self._here, piece.letter)))
        piece.sent = client.submit(pickle.loads, called, workers=workers, pure=False)
        piece.sent.add_done_callback(partial(self._take, piece))

    def _take(self, piece: _Piece, sent: Any) -> None:
        """What came of a piece. Called by a thread of Dask."""
        if sent is not piece.sent or piece.future.done():
            return
        if sent.status == "finished":
            found = sent.result()
            if isinstance(found, _Differs):
                self._known.discard(found.worker)
                self._good.pop(found.address, None)
                self._left_out[found.address] = found.words
                self._inbox.put(piece)
                return
            piece.future.set_result(found)
        elif sent.status == "error":
            piece.future.set_exception(_lost(sent.exception()))
        elif not self._closed:
            piece.future.set_exception(BrokenExecutor(f"the connection to {self._address} was lost"))
        self._pieces.discard(piece)

    def _tend(self, client: Any) -> None:
        """Look who is there, and send again what only workers may compute that are gone."""
        self._look_at_workers(client)
        if self._left_out and not self._good and not self._worked:
            raise self._refusal()
        for piece in list(self._pieces):
            if piece.allowed is not None and not piece.allowed & self._good.keys():
                before = piece.sent
                self._send(client, piece)
                if before is not None:
                    before.cancel()

    def _look_at_workers(self, client: Any) -> None:
        """Ask the workers that are new what they are."""
        present: Mapping[str, Any] = client.scheduler_info(n_workers=-1)["workers"]
        self._good = {address: count for address, count in self._good.items() if address in present}
        self._left_out = {address: words for address, words in self._left_out.items() if address in present}
        new = [address for address, about in present.items() if about["id"] not in self._known]
        if not new:
            return
        asked = cloudpickle.dumps(_Called(identity, (self._module,)))
        answers = client.run(pickle.loads, asked, workers=new, on_error="return")
        for address in new:
            about, there = present[address], answers.get(address)
            if there is None or isinstance(there, OSError):  # it has gone meanwhile
                continue
            self._known.add(about["id"])
            words = _words(self._here, there)
            if words:
                self._left_out[address] = words
                log.warning("the worker %s of %s is left out: %s", address, self._address, words)
            else:
                self._good[address] = about["nthreads"]
                self._worked = True

    def _refusal(self) -> InputError:
        told = "; ".join(f"{address}: {words}" for address, words in sorted(self._left_out.items()))
        return InputError(
            phrase("the workers of {address}", address=self._address),
            expected="the same code, versions and processor as here, for the same bits", found=told,
            remedy="install the same there and start the workers anew; where other last digits do no harm, write "
            "?processors=any behind the address", topic=_TOPIC,
        )  # fmt: skip

    def _end(self, client: Any) -> None:
        """Take back what is left."""
        self._ended = (
            True  # before the inbox is emptied, so that what comes later is given back by who hands it in
        )
        self._give_back()
        pieces = set(self._pieces)
        sent = [piece.sent for piece in pieces if piece.sent is not None]
        for piece in pieces:
            if not piece.future.done():
                piece.future.set_exception(self._lack())
        if client is None:
            return
        try:
            client.cancel(sent, force=True)
            if client is not self._said:
                client.close(timeout=PATIENCE)
        except Exception as fault:  # it is gone anyway
            log.info("the scheduler %s was left: %r", self._address, fault)

    def _give_back(self) -> None:
        """Say of all that nobody took that it will not be computed."""
        while True:
            try:
                piece = self._inbox.get_nowait()
            except queue.Empty:
                return
            if piece is not None:
                piece.future.set_exception(self._lack())

    def _lack(self) -> BaseException:
        return self._fault or CancelledError()


class _Called:
    """A call that is made where this is unpickled."""

    def __init__(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._call = work, arguments

    def __reduce__(self) -> Any:
        return self._call


@dataclass(frozen=True)
class _Differs:
    """What a worker says instead of working."""

    address: str
    worker: str
    words: str


def _answer(module: str, wanted: Identity, letter: bytes) -> Any:
    """In a worker: do a piece of work, if it is done here as it would be there."""
    from distributed import get_worker

    worker = get_worker()
    words = _words(wanted, identity(module))
    if words:
        return _Differs(worker.address, worker.id, words)
    key = worker.get_current_task()

    def given_up() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    work, arguments, named = pickle.loads(letter)
    with stoppable(given_up):
        return work(*arguments, **named)


def _words(here: Identity, there: Identity | Exception) -> str:
    """How a worker differs; empty where it does not."""
    if isinstance(there, Exception):
        return str(phrase("quatviz is not there as it is here: {lack}", lack=there))
    compared = {name: value for name, value in there.items() if name != PROCESSOR or name in here}
    return ", ".join(differences(here, compared))


def _lost(fault: BaseException) -> BaseException:
    """What a piece of work ended with, where it is the end of workers."""
    from distributed import KilledWorker

    if not isinstance(fault, KilledWorker):
        return fault
    said: Phrase = phrase(
        "all workers of the cluster that computed it were ended: perhaps for want of memory"
    )
    return Lost(said)
