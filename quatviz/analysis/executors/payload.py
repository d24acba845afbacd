"""Data shared by all pieces of long work: a plan and its user-defined formulations.

It is pickled once, and unpickled once in each process.
"""

import pickle
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from typing import Any, Generic, TypeVar

from numba import cloudpickle

from quatviz.base.errors import InputError
from quatviz.physics.formulations import FORMULATIONS

Content = TypeVar("Content")


class SharedPayload(Generic[Content]):
    """Content that all pieces of work share, and the recipes of the user-defined formulations that it
    needs, by formulation name.

    Objects defined in the main script are pickled by value. Objects of a module are pickled by reference, so the module
    must be installed wherever the work is done.
    """

    def __init__(self, content: Content, formulations: Iterable[str] = ()) -> None:
        self._content = content
        names = {name.partition("/")[0] for name in formulations}
        recipes = {name: recipe for name, recipe in FORMULATIONS.factories.items() if name in names}
        self._blob: tuple[bytes, bytes] | None = None
        self._recipes: Mapping[str, Any] = recipes

    def __reduce__(self) -> Any:
        if self._blob is None:
            self._blob = cloudpickle.dumps(self._recipes), cloudpickle.dumps(self._content)
        _local_payloads[sha256(b"".join(self._blob)).digest()] = self
        return _receive_payload, self._blob

    @contextmanager
    def unpickle(self) -> Iterator[Content]:
        """Provide the content in this process, with its formulations registered."""
        yield self._content


class _ReceivedPayload(SharedPayload[Any]):
    """A payload from another process. It is unpickled when work on it begins, so that a missing module is reported as a
    refusal."""

    def __init__(self, recipes: bytes, content: bytes) -> None:
        self._blobs = recipes, content

    def __reduce__(self) -> Any:
        return _receive_payload, self._blobs

    @contextmanager
    def unpickle(self) -> Iterator[Any]:
        with _use_formulations(self._blobs[0]):
            yield _unpickle_blob(self._blobs[1])


_local_payloads: "weakref.WeakValueDictionary[bytes, SharedPayload[Any]]" = weakref.WeakValueDictionary()
"""Payloads created in this process, by digest. A cluster worker in the same process uses them directly
instead of unpickling a copy."""
_condition = threading.Condition()
_registered_digests: dict[str, bytes] = {}
"""Maps the name of each formulation received from another process to the digest of its recipe."""
_use_counts: Counter[str] = Counter()


def _receive_payload(recipes: bytes, content: bytes) -> SharedPayload[Any]:
    return _local_payloads.get(sha256(recipes + content).digest()) or _ReceivedPayload(recipes, content)


@contextmanager
def _use_formulations(blob: bytes) -> Iterator[None]:
    """Register the received formulations, replacing earlier ones of the same names.

    Wait while another thread uses a different formulation of the same name, for example in a cluster worker that two
    users share.
    """
    recipes = _unpickle_blob(blob)
    if not recipes:
        yield
        return
    digest = sha256(blob).digest()
    with _condition:
        _condition.wait_for(
            lambda: not any(_use_counts[name] and _registered_digests.get(name) != digest for name in recipes)
        )
        for name, recipe in recipes.items():
            if _registered_digests.get(name) != digest or name not in FORMULATIONS:
                FORMULATIONS.add(recipe)
                _registered_digests[name] = digest
        _use_counts.update(list(recipes))
    try:
        yield
    finally:
        with _condition:
            _use_counts.subtract(list(recipes))
            _condition.notify_all()


@lru_cache(maxsize=4)
def _unpickle_blob(blob: bytes) -> Any:
    try:
        return pickle.loads(blob)
    except (ImportError, AttributeError) as error:
        raise InputError(
            "the worker", expected="the modules that the preset, its loads and formulations are made from", found=str(error),
            remedy="install them on the workers, or define the functions in the script, which sends them to the workers",
            topic="clusters#your-own-formulations-and-loads",
        ) from error  # fmt: skip


def run_on_payload(payload: SharedPayload[Any], work: Callable[..., Any], *arguments: Any) -> Any:
    """Call `work`, a function of a module, with the content of a payload and with `arguments`, and return its result."""
    with payload.unpickle() as content:
        return work(content, *arguments)
