"""The one way quatviz refuses something it was given, and what it says of exceptions in what others wrote."""

import logging
import sys
import traceback
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

from quatviz.base.deprecation import FormerName
from quatviz.base.help_topics import find_topic

log = logging.getLogger(__name__)


class Phrase(str):
    """A text with values in it that can still be translated, for it knows its template: see `phrase`."""

    template: str
    values: Mapping[str, object]


def phrase(template: str, /, **values: object) -> Phrase:
    """The template with `values` in their places, `{limit:g}`, for a text that a window may tr.

    Write the template as a literal, so that tools that collect texts find it. A text without values stands as it is,
    braces and all; it needs a phrase where it is a value of another one: `phrase(title)` of a word from a table, too.
    """
    if isinstance(template, Phrase) and not values:
        return template
    text = Phrase(template.format(**values) if values else template)
    text.template, text.values = template, values
    return text


def plural_phrase(count: int, singular: str, plural: str, /, **values: object) -> Phrase:
    """The phrase of a count: `singular` of 1, `plural` of any other, both literals with `{count}` and all values in them.

    >>> plural_phrase(1, "{count} row was left out", "{count} rows were left out")
    '1 row was left out'
    """
    return phrase(singular if count == 1 else plural, count=count, **values)


def titled_name(name: str, title: str, variant: str = "") -> Phrase:
    """What files and scripts call `name`: the text has that, for a person types it, and a window that tells it has the `title` that
    people read in its lists.

    >>> from quatviz.base.translation import tr
    >>> wrong = phrase("no J0 for {form}", form=titled_name("newton_euler", "Newton–Euler"))
    >>> print(wrong, tr(wrong), sep=", ")
    no J0 for newton_euler, no J0 for Newton–Euler
    """
    name_phrase = Phrase(name)
    name_phrase.template, name_phrase.values = title, {}
    if variant:
        name_phrase.template, name_phrase.values = (
            "{title}: {variant}",
            {"title": phrase(title), "variant": phrase(variant)},
        )
    return name_phrase


def join_phrases(parts: Iterable[str], conjunction: str = "") -> str:
    """Parts in one text that can be translated with them, "a, b"; `conjunction` may be "and" or "or"."""
    return reduce(lambda joined, part: _join_pair(joined, part, conjunction), parts, "")


def _join_pair(first: str, second: str, conjunction: str) -> str:
    if not first:
        return second
    if conjunction == "and":
        return phrase("{some} and {one}", some=first, one=second)
    if conjunction == "or":
        return phrase("{some} or {one}", some=first, one=second)
    return phrase("{some}, {one}", some=first, one=second)


class InputError(ValueError):
    """Something a person or a machine supplied cannot be used.

    Four sentences make a refusal useful, and all are required: `place` (file and line, key, argument,
    or part of the machine), `expected`, `found`, and `remedy` (what to try). The command line prints
    the text and exits with status 2; the window shows it beside what was refused,
    translated: write each sentence as a literal, or as a `phrase` where values stand in it.

    `key` is the dotted path of the parameter at fault (`body.inertia`, `lanes[1].dt`), empty where
    there is none; it is the place too where no other is given. Whoever knows the file turns it into file and line with `at`.

    `topic` is the section of the help that explains it, `page#section`; that of the key where none is given.

    >>> import quatviz as qv
    >>> try:
    ...     qv.Body(inertia=[1.0, 2.0, -3.0])
    ... except qv.InputError as refusal:
    ...     print(refusal.expected, refusal.found, refusal.remedy, sep="; ")
    principal moments above zero [kg m^2]; principal moments -3, 1, 2; check signs and units
    """

    def __init__(
        self, place: str = "", *, expected: str, found: str, remedy: str, key: str = "", topic: str = ""
    ) -> None:
        self.place = place or key
        self.expected = expected
        self.found = found
        self.remedy = remedy
        self.key = key
        self.topic = topic or find_topic(key)
        self._own_topic = topic
        super().__init__(f"{self.place}\n  expected  {expected}\n  found     {found}\n  try       {remedy}")

    def __reduce__(self) -> Any:
        """Whole into another process: a pool would die of a refusal that cannot be read there."""
        return _rebuild_error, (type(self), self.args, vars(self))

    @property
    def sentence(self) -> Phrase:
        """What was expected, what was found and what to try, in one line."""
        return phrase(
            "expected {expected}; found {found}; try: {remedy}",
            expected=phrase(self.expected),
            found=phrase(self.found),
            remedy=phrase(self.remedy),
        )

    def with_place(self, place: str, key: str | None = None) -> "InputError":
        """The same refusal at a better-known place (a file and line in front of the key)."""
        return InputError(
            place,
            expected=self.expected,
            found=self.found,
            remedy=self.remedy,
            key=self.key if key is None else key,
            topic=self._own_topic,
        )

    at = FormerName("at", "with_place")


def _rebuild_error(error_class: type[InputError], args: tuple[str], state: dict[str, Any]) -> InputError:
    error = error_class.__new__(error_class, *args)
    error.__dict__.update(state)
    return error


def refuse_unknown_name(
    name: str,
    known: Iterable[str],
    place: str,
    key: str,
    *,
    number: str = "one",
    remedy: str = "correct the spelling",
    topic: str = "",
) -> None:
    """Refuse a name that is none of `known`; `number` says whether one of them is expected, or some."""
    names = list(known)
    if name not in names:
        joined_names = ", ".join(names)
        expected = (
            phrase("one of {names}", names=joined_names)
            if number == "one"
            else phrase("some of {names}", names=joined_names)
        )
        raise InputError(place, expected=expected, found=repr(name), remedy=remedy, key=key, topic=topic)


# --- exceptions in what others wrote

PLUGIN_EXCEPTIONS = (Exception, SystemExit)
"""What the code of others may end with: one that exits ends nothing but itself."""


def third_party_modules(classes: Iterable[type]) -> list[str]:
    """The modules of these classes that are not quatviz's own, each once."""
    names = dict.fromkeys([cls.__module__ for cls in classes])
    return [name for name in names if name != "quatviz" and not name.startswith("quatviz.")]


def exception_text(exception: BaseException) -> str:
    """Return what an exception says, in one line; a sentence where even that fails, as in a broken `__str__`."""
    try:
        return " ".join(str(exception).split())
    except PLUGIN_EXCEPTIONS:
        return "it does not say why"


def exception_summary(exception: BaseException) -> str:
    """Return the type of an exception and what it says."""
    return f"{type(exception).__name__}: {exception_text(exception)}"


def describe_exception(exception: BaseException, modules: Iterable[str]) -> Phrase:
    """An exception with the module, file and line of these modules where it came from; with all of them where it does not tell,
    as one of a compiled kernel."""
    files = {name: getattr(sys.modules.get(name), "__file__", None) for name in modules}
    locations = [f"{name} ({path})" if path else name for name, path in files.items()]
    for frame in reversed(traceback.extract_tb(exception.__traceback__)):
        matches = [
            f"{name} ({path}, line {frame.lineno})" for name, path in files.items() if path == frame.filename
        ]
        if matches:
            locations = matches
            break
    summary = phrase("{kind}: {fault}", kind=type(exception).__name__, fault=exception_text(exception)[:200])
    return phrase("an exception in {parts}: {said}", parts=", ".join(locations), said=summary)


def internal_error(error: BaseException, place: str, expected: str, remedy: str) -> InputError:
    """What is said of a fault of the program in some work, with what was `expected` of it; it is logged."""
    log.error("%s has failed", place, exc_info=error)
    return InputError(
        place, expected=expected, found=phrase("a fault of the program, {name}: {error}", name=type(error).__name__, error=error),
        remedy=remedy, topic="errors#faults-of-the-program",
    )  # fmt: skip
