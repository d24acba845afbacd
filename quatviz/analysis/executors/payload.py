"""What all pieces of one piece of long work are given, wherever they are computed: a plan, with the formulations that a script
has made. It is pickled once, and unpickled once in each process that gets it."""

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


class Parcel(Generic[Content]):
    """`content`, and by name the recipes of those of its formulations that a script has made. What a script itself defines
    travels whole; what stands in a module is found there again, so that the module has to be wherever work is done."""

    def __init__(self, content: Content, formulations: Iterable[str] = ()) -> None:
        self._content = content
        names = {name.partition("/")[0] for name in formulations}
        recipes = {name: recipe for name, recipe in FORMULATIONS.recipes.items() if name in names}
        self._letter: tuple[bytes, bytes] | None = None
        self._recipes: Mapping[str, Any] = recipes

    def __reduce__(self) -> Any:
        if self._letter is None:
            self._letter = cloudpickle.dumps(self._recipes), cloudpickle.dumps(self._content)
        _made[sha256(b"".join(self._letter)).digest()] = self
        return _received, self._letter

    @contextmanager
    def opened(self) -> Iterator[Content]:
        """The content, in this process; its formulations are what their names mean meanwhile."""
        yield self._content


class _Received(Parcel[Any]):
    """One from another process, which is opened when it is worked on, so that a lack is told as a refusal."""

    def __init__(self, recipes: bytes, content: bytes) -> None:
        self._sent = recipes, content

    def __reduce__(self) -> Any:
        return _received, self._sent

    @contextmanager
    def opened(self) -> Iterator[Any]:
        with _in_use(self._sent[0]):
            yield _unpickled(self._sent[1])


_made: "weakref.WeakValueDictionary[bytes, Parcel[Any]]" = weakref.WeakValueDictionary()
"""Parcels of this process, which may come back to it: a cluster may have a worker here."""
_turn = threading.Condition()
_present: dict[str, bytes] = {}
"""Which recipe a formulation that came from elsewhere was made by."""
_users: Counter[str] = Counter()


def _received(recipes: bytes, content: bytes) -> Parcel[Any]:
    return _made.get(sha256(recipes + content).digest()) or _Received(recipes, content)


@contextmanager
def _in_use(letter: bytes) -> Iterator[None]:
    """Add the formulations, in the place of others of the same names that came before; wait as long as those are in use by
    another thread, as in a worker of a cluster that two people share."""
    recipes = _unpickled(letter)
    if not recipes:
        yield
        return
    digest = sha256(letter).digest()
    with _turn:
        _turn.wait_for(lambda: not any(_users[name] and _present.get(name) != digest for name in recipes))
        for name, recipe in recipes.items():
            if _present.get(name) != digest or name not in FORMULATIONS:
                FORMULATIONS.add(recipe)
                _present[name] = digest
        _users.update(list(recipes))
    try:
        yield
    finally:
        with _turn:
            _users.subtract(list(recipes))
            _turn.notify_all()


@lru_cache(maxsize=4)
def _unpickled(letter: bytes) -> Any:
    try:
        return pickle.loads(letter)
    except (ImportError, AttributeError) as lack:
        raise InputError(
            "the worker", expected="the modules that the preset, its loads and formulations are made from", found=str(lack),
            remedy="install them where the workers are, or define it in the script itself: then it is sent along",
            topic="clusters#what-is-your-own",
        ) from lack  # fmt: skip


def work_on(parcel: Parcel[Any], work: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of a module with what is in the parcel, and with `arguments`."""
    with parcel.opened() as content:
        return work(content, *arguments)
