"""Workers of a Dask cluster. This machine needs `quatviz[cluster]`; the machines of the workers need quatviz.

A single thread does all communication with Dask, so that the window never waits for the network. Each piece
of work is sent as bytes, which a worker unpickles into a call. A worker without quatviz then fails only this
piece of work instead of crashing.
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

from quatviz.analysis.executors.identity import PROCESSOR, Identity, differences, identity
from quatviz.analysis.executors.workers import Workers, WorkersLost
from quatviz.base.cancellation import cancellable
from quatviz.base.errors import InputError, Phrase, exception_text, phrase
from quatviz.files.limits import read_limited

log = logging.getLogger(__name__)

CONNECT_TIMEOUT = 5.0
"""Time within which a scheduler must answer [s]."""
ANY_PROCESSOR = "?processors=any"
"""Suffix of an address that accepts workers with other processors, whose results may differ in the last digits."""
_POLL_INTERVAL = 0.5
"""Time between two checks of the workers [s]."""
_CLOSE_TIMEOUT = 2.0
"""Time that `close` waits for the thread to finish [s]."""
_FILE, _PORT = ".json", 8786
_TOPIC = "clusters#refusals"


@dataclass(eq=False)
class _Piece:
    """A submitted piece of work."""

    blob: bytes
    future: Future[Any]
    dask_future: Any = None
    """The Dask future of the piece of work; None while the piece waits for workers."""
    allowed: frozenset[str] | None = None
    """Addresses of the workers that may compute the piece of work; None if any worker may."""


class Cluster(Workers):
    """Workers of a Dask scheduler.

    A worker that connects later receives no work if it would compute different bits.

    Parameters
    ----------
    scheduler
        Address such as `tcp://host:8786`, path of a scheduler file (`.json`), or a Dask client.
    module
        Name of the module whose functions are submitted. The code that it imports is compared between installations.
    wait
        True to wait for the connection and raise a refusal here. If False, every future raises the refusal.

    Raises
    ------
    InputError
        If the scheduler does not answer within `CONNECT_TIMEOUT`, or if a worker would compute different bits than
        this installation.
    """

    def __init__(self, scheduler: Any, module: str, *, wait: bool = True) -> None:
        self._scheduler, self._module = scheduler, module
        self._address = (
            str(scheduler).removesuffix(ANY_PROCESSOR)
            if isinstance(scheduler, str)
            else str(scheduler.scheduler.address)
        )
        self._identity: dict[str, str] = {}
        """Identity of this installation (see `identity.identity`), which is compared with the identities of workers."""
        self._inbox: queue.SimpleQueue[_Piece | None] = queue.SimpleQueue()
        self._pieces: set[_Piece] = set()
        self._accepted: dict[str, int] = {}
        """Workers that receive work, because they compute the same bits as this installation: a map from worker address
        to number of threads."""
        self._rejected: dict[str, str] = {}
        """Workers that receive no work: a map from worker address to the differences between the installations of the
        worker and of this process."""
        self._checked_ids: set[str] = set()
        """Ids of the workers whose installation has been compared with this one."""
        self._had_workers = False
        """True once any worker has been accepted."""
        self._fault: Exception | None = None
        self._closed = False
        self._has_ended = False
        """True once the communication thread has ended. No pieces are taken from the inbox after that."""
        self._connected = threading.Event()
        self._thread = threading.Thread(target=self._run, name="quatviz-cluster", daemon=True)
        self._thread.start()
        if wait:
            self._connected.wait()
            if self._fault is not None:
                self.close()
                raise self._fault

    @property
    def jobs(self) -> int:
        return max(sum(self._accepted.values()), 1)

    @property
    def title(self) -> str:
        return phrase("{count} workers of {address}", count=len(self._accepted), address=self._address)

    @property
    def wait_reason(self) -> str:
        if not self._connected.is_set():
            return phrase("Connecting to {address}", address=self._address)
        if self._accepted or self._fault is not None:
            return ""
        return phrase("Waiting for workers of {address}", address=self._address)

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        if self._closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        piece = _Piece(cloudpickle.dumps((work, arguments, named)), Future())
        self._inbox.put(piece)
        if self._has_ended:
            self._reject_inbox()
        return piece.future

    def close(self) -> None:
        """Cancel pending pieces and request cancellation of running ones, without waiting for them."""
        self._closed = True
        self._inbox.put(None)
        self._thread.join(_CLOSE_TIMEOUT)

    # --- in the thread

    def _run(self) -> None:
        client: Any = None
        try:
            client = self._connect()
            self._identity = dict(identity(self._module))
            if isinstance(self._scheduler, str) and self._scheduler.endswith(ANY_PROCESSOR):
                del self._identity[PROCESSOR]
            self._update_workers(client)
            if self._rejected:
                raise self._refusal()
            self._connected.set()
            while self._serve(client):
                self._check_workers(client)
        except InputError as refusal:
            self._fault = refusal
        except Exception as error:
            if self._connected.is_set():
                log.exception("the scheduler %s was lost", self._address)
                self._fault = BrokenExecutor(f"{self._address}: {exception_text(error)}")
            else:  # The scheduler answered and died while it was asked for its workers: no work has begun.
                self._fault = self._unreachable_error(error)
        finally:
            self._connected.set()
            self._end(client)

    def _connect(self) -> Any:
        if not isinstance(self._scheduler, str):
            return self._scheduler
        try:
            from distributed import Client
        except ImportError as error:
            raise InputError(
                "the scheduler", expected="the Python package distributed", found=str(error),
                remedy='install it: pip install "quatviz[cluster]"', topic=_TOPIC,
            ) from error  # fmt: skip
        try:
            address = self._resolve_address()
            return Client(address, timeout=CONNECT_TIMEOUT, set_as_default=False)
        except Exception as error:  # Anything may answer at that address.
            raise self._unreachable_error(error) from error

    def _unreachable_error(self, error: Exception) -> InputError:
        return InputError(
            phrase("the scheduler {address}", address=self._address),
            expected=phrase("a scheduler that answers within {seconds:g} s", seconds=CONNECT_TIMEOUT),
            found=exception_text(error) or type(error).__name__,
            remedy="start one with `dask scheduler`, and check that host and port are those that it prints", topic=_TOPIC,
        )  # fmt: skip

    def _resolve_address(self) -> str:
        """Return the scheduler's address, read from the scheduler file if one is given. Raise an error at
        once if nothing listens at this address."""
        address = self._address
        if address.endswith(_FILE):
            address = str(json.loads(read_limited(Path(address)))["address"])
        address = address if "://" in address else f"tcp://{address}"
        url = urlsplit(address)
        if url.scheme in ("tcp", "tls"):
            socket.create_connection((url.hostname or "", url.port or _PORT), CONNECT_TIMEOUT).close()
        return address

    def _serve(self, client: Any) -> bool:
        """Send the submitted pieces of work to Dask. Return False once this cluster is closed."""
        try:
            piece = self._inbox.get(timeout=_POLL_INTERVAL)
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
        piece.allowed = frozenset(self._accepted) if self._rejected else None
        if piece.allowed is not None and not piece.allowed:
            piece.dask_future = None  # waits for workers
            return
        workers = sorted(piece.allowed) if piece.allowed else None
        call = pickle.dumps(_RemoteCall(_run_in_worker, (self._module, self._identity, piece.blob)))
        piece.dask_future = client.submit(pickle.loads, call, workers=workers, pure=False)
        piece.dask_future.add_done_callback(partial(self._finish_piece, piece))

    def _finish_piece(self, piece: _Piece, dask_future: Any) -> None:
        """Pass the outcome of a piece to its future. Called by a thread of Dask."""
        if dask_future is not piece.dask_future or piece.future.done():
            return
        if dask_future.status == "finished":
            result = dask_future.result()
            if isinstance(result, _Mismatch):
                self._checked_ids.discard(result.worker)
                self._accepted.pop(result.address, None)
                self._rejected[result.address] = result.description
                self._inbox.put(piece)
                return
            piece.future.set_result(result)
        elif dask_future.status == "error":
            piece.future.set_exception(_translate_error(dask_future.exception()))
        elif not self._closed:
            piece.future.set_exception(BrokenExecutor(f"the connection to {self._address} was lost"))
        self._pieces.discard(piece)

    def _check_workers(self, client: Any) -> None:
        """Update the list of workers. If no worker is left of those that may compute a piece of work, submit the piece
        to Dask again."""
        self._update_workers(client)
        if self._rejected and not self._accepted and not self._had_workers:
            raise self._refusal()
        for piece in list(self._pieces):
            if piece.allowed is not None and not piece.allowed & self._accepted.keys():
                previous = piece.dask_future
                self._send(client, piece)
                if previous is not None:
                    previous.cancel()

    def _update_workers(self, client: Any) -> None:
        """Compare the identity of new workers with that of this installation."""
        present: Mapping[str, Any] = client.scheduler_info(n_workers=-1)["workers"]
        self._accepted = {address: count for address, count in self._accepted.items() if address in present}
        self._rejected = {
            address: mismatch for address, mismatch in self._rejected.items() if address in present
        }
        new = [address for address, info in present.items() if info["id"] not in self._checked_ids]
        if not new:
            return
        call = cloudpickle.dumps(_RemoteCall(identity, (self._module,)))
        answers = client.run(pickle.loads, call, workers=new, on_error="return")
        for address in new:
            info, answer = present[address], answers.get(address)
            if answer is None or isinstance(answer, OSError):  # disconnected in the meantime
                continue
            self._checked_ids.add(info["id"])
            mismatch = _describe_mismatch(self._identity, answer)
            if mismatch:
                self._rejected[address] = mismatch
                log.warning("the worker %s of %s is left out: %s", address, self._address, mismatch)
            else:
                self._accepted[address] = info["nthreads"]
                self._had_workers = True

    def _refusal(self) -> InputError:
        details = "; ".join(f"{address}: {mismatch}" for address, mismatch in sorted(self._rejected.items()))
        return InputError(
            phrase("the workers of {address}", address=self._address),
            expected="the same code, versions and processor as on this machine, so that all digits agree", found=details,
            remedy="install the same versions there and restart the workers; if differences in the last digits do not matter, add "
            "?processors=any to the address", topic=_TOPIC,
        )  # fmt: skip

    def _end(self, client: Any) -> None:
        """End all unfinished pieces of work with an error, and disconnect from the scheduler."""
        # Set before the inbox is emptied, so that `submit` rejects later pieces itself.
        self._has_ended = True
        self._reject_inbox()
        pieces = set(self._pieces)
        dask_futures = [piece.dask_future for piece in pieces if piece.dask_future is not None]
        for piece in pieces:
            if not piece.future.done():
                piece.future.set_exception(self._closing_error())
        if client is None:
            return
        try:
            client.cancel(dask_futures, force=True)
            if client is not self._scheduler:
                client.close(timeout=CONNECT_TIMEOUT)
        except Exception as error:  # already disconnected
            log.info("the connection to the scheduler %s was closed: %r", self._address, error)

    def _reject_inbox(self) -> None:
        """End all pieces of work in the inbox with an error."""
        while True:
            try:
                piece = self._inbox.get_nowait()
            except queue.Empty:
                return
            if piece is not None:
                piece.future.set_exception(self._closing_error())

    def _closing_error(self) -> BaseException:
        return self._fault or CancelledError()


class _RemoteCall:
    """Object that calls a function when it is unpickled. It is pickled here and unpickled in a worker, so
    that the call happens in the worker."""

    def __init__(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._call = work, arguments

    def __reduce__(self) -> Any:
        return self._call


@dataclass(frozen=True)
class _Mismatch:
    """Answer of a worker that refuses to work, because its installation differs from that of the caller."""

    address: str
    worker: str
    description: str


def _run_in_worker(module: str, expected: Identity, blob: bytes) -> Any:
    """Compute a piece of work in a worker, or return `_Mismatch` if it would compute different bits."""
    from distributed import get_worker

    worker = get_worker()
    mismatch = _describe_mismatch(expected, identity(module))
    if mismatch:
        return _Mismatch(worker.address, worker.id, mismatch)
    key = worker.get_current_task()

    def is_cancelled() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    work, arguments, keywords = pickle.loads(blob)
    with cancellable(is_cancelled):
        return work(*arguments, **keywords)


def _describe_mismatch(here: Identity, there: Identity | Exception) -> str:
    """Describe how the installation of a worker differs from this one; return "" if it does not."""
    if isinstance(there, Exception):
        return str(phrase("the installation of quatviz on this worker differs: {error}", error=there))
    compared = {name: value for name, value in there.items() if name != PROCESSOR or name in here}
    return ", ".join(differences(here, compared))


def _translate_error(error: BaseException) -> BaseException:
    """Return the exception with which a piece of work failed; Dask's `KilledWorker` becomes `WorkersLost`."""
    from distributed import KilledWorker

    if not isinstance(error, KilledWorker):
        return error
    message: Phrase = phrase(
        "every worker of the cluster that tried this task died, perhaps for lack of memory"
    )
    return WorkersLost(message)
