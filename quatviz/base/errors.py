"""`InputError`, the exception for unusable input, with translatable phrases and descriptions of exceptions in
third-party code."""

import difflib
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
    """A formatted text that remembers its template and values, so that it can still be translated. See `phrase`."""

    template: str
    values: Mapping[str, object]


def phrase(template: str, /, **values: object) -> Phrase:
    """Return a template with `values` inserted, for a text that the window may translate.

    Parameters
    ----------
    template
        String literal with placeholders such as `{limit:g}`; it must be a literal so that the tools that collect texts for
        translation see it. Without values the text is used unchanged, braces included. If a text from a table is itself
        a value of another phrase, wrap it too, as `phrase(title)`, so that it is translated.
    values
        Values of the placeholders.
    """
    if isinstance(template, Phrase) and not values:
        return template
    text = Phrase(template.format(**values) if values else template)
    text.template, text.values = template, values
    return text


def plural_phrase(count: int, singular: str, plural: str, /, **values: object) -> Phrase:
    """Return `singular` as a phrase for a count of 1, otherwise `plural`.

    Both are literals that may contain `{count}` and the names of the other values as placeholders.

    >>> plural_phrase(1, "{count} row was left out", "{count} rows were left out")
    '1 row was left out'
    """
    return phrase(singular if count == 1 else plural, count=count, **values)


def titled_name(name: str, title: str, variant: str = "") -> Phrase:
    """Return a phrase that reads `name` in files and scripts, where the user types it, and `title` in the window.

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
    """Return phrases joined to one translatable phrase: "a, b, c", or "a, b and c" if `conjunction` is "and"
    and "a, b or c" if it is "or".

    >>> join_phrases(["a", "b", "c"], "and"), join_phrases(["a"], "or"), join_phrases([])
    ('a, b and c', 'a', '')
    """
    *others, last = [*parts] or [""]
    return _join_pair(reduce(_join_with_comma, others, ""), last, conjunction)


def _join_with_comma(first: str, second: str) -> str:
    return _join_pair(first, second, "")


def _join_pair(first: str, second: str, conjunction: str) -> str:
    if not first:
        return second
    if conjunction == "and":
        return phrase("{list} and {item}", list=first, item=second)
    if conjunction == "or":
        return phrase("{list} or {item}", list=first, item=second)
    return phrase("{list}, {item}", list=first, item=second)


class InputError(ValueError):
    """Input from a user, a file or the machine that cannot be used.

    All four parts are required: `place` (file and line, key, argument, or part of the machine), `expected`, `found`
    and `remedy` (what to try). The command line prints the text and exits with status 2; the window shows its
    translation beside the rejected input. Write each part as a literal, or as a `phrase` if it contains values.

    `key` is the dotted path of the rejected parameter (`body.inertia`, `lanes[1].dt`), or empty. It serves as the
    place if no other place is given; `with_place` replaces it by file and line. `topic` is the help section that
    explains the error, `page#section`; by default the section of the key.

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
        """Return the arguments that pickle all attributes.

        Without this method, a process pool would break on an error that cannot be unpickled.
        """
        return _rebuild_error, (type(self), self.args, vars(self))

    @property
    def sentence(self) -> Phrase:
        """Text in one line: what was expected, what was found and what the user can try."""
        return phrase(
            "expected {expected}; found {found}; try: {remedy}",
            expected=phrase(self.expected),
            found=phrase(self.found),
            remedy=phrase(self.remedy),
        )

    def with_place(self, place: str, key: str | None = None) -> "InputError":
        """Return a copy of this error with a more precise place, such as file and line."""
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


def suggest_name(given: str, names: Iterable[str], otherwise: str) -> str:
    """Return a remedy for a misspelled name: the most similar of `names` as a suggestion, or `otherwise` if
    none is similar.
    """
    texts = [name for name in names if isinstance(name, str)]
    near = difflib.get_close_matches(given, texts, n=1, cutoff=0.6) if isinstance(given, str) else []
    return phrase("did you mean {name!r}?", name=near[0]) if near else otherwise


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
    """Raise an `InputError` if `name` is not one of `known`.

    Parameters
    ----------
    name, known
        Given name and accepted names.
    place, key
        Place and dotted key of the error.
    number
        "one" if a single name is expected, any other text if several are.
    remedy, topic
        Remedy that the error gives if none of the `known` names is similar to `name` (otherwise it suggests the similar
        name), and help topic of the error.
    """
    names = list(known)
    if name not in names:
        joined_names = ", ".join(names)
        expected = (
            phrase("one of {names}", names=joined_names)
            if number == "one"
            else phrase("one or more of {names}", names=joined_names)
        )
        raise InputError(
            place, expected=expected, found=repr(name), remedy=suggest_name(name, names, otherwise=remedy), key=key, topic=topic,
        )  # fmt: skip


# --- exceptions in third-party code

PLUGIN_EXCEPTIONS = (Exception, SystemExit)
"""Exceptions that third-party code may raise. `SystemExit` is included so that a plug-in cannot end the program."""


def third_party_modules(classes: Iterable[type]) -> list[str]:
    """Return the names of the modules outside quatviz in which `classes` are defined, without duplicates."""
    names = dict.fromkeys([cls.__module__ for cls in classes])
    return [name for name in names if name != "quatviz" and not name.startswith("quatviz.")]


def exception_text(exception: BaseException) -> str:
    """Return the message of an exception in one line, or a substitute if its `__str__` fails."""
    try:
        return " ".join(str(exception).split())
    except PLUGIN_EXCEPTIONS:
        return "no readable message"


def exception_summary(exception: BaseException) -> str:
    """Return type and message of an exception as one text."""
    return f"{type(exception).__name__}: {exception_text(exception)}"


def describe_exception(exception: BaseException, modules: Iterable[str]) -> Phrase:
    """Describe an exception with the module, file and line that raised it.

    Parameters
    ----------
    exception
        Exception raised by third-party code.
    modules
        Names of the modules that may have raised it. All of them are named if the traceback contains none, as
        for an exception in a compiled kernel.
    """
    files = {name: getattr(sys.modules.get(name), "__file__", None) for name in modules}
    locations = [f"{name} ({path})" if path else name for name, path in files.items()]
    for frame in reversed(traceback.extract_tb(exception.__traceback__)):
        matches = [
            f"{name} ({path}, line {frame.lineno})" for name, path in files.items() if path == frame.filename
        ]
        if matches:
            locations = matches
            break
    summary = phrase(
        "{type}: {message}", type=type(exception).__name__, message=exception_text(exception)[:200]
    )
    return phrase("an exception in {parts}: {summary}", parts=", ".join(locations), summary=summary)


def internal_error(error: BaseException, place: str, expected: str, remedy: str) -> InputError:
    """Log an exception that a defect of the program raised, and return an `InputError` that reports it to the
    user.

    Parameters
    ----------
    error
        Exception that was caught.
    place
        Operation that failed.
    expected, remedy
        What the operation should have done, and what the user can try.
    """
    log.error("%s has failed", place, exc_info=error)
    return InputError(
        place, expected=expected, found=phrase("an internal error, {name}: {error}", name=type(error).__name__, error=error),
        remedy=remedy, topic="errors#faults-of-the-program",
    )  # fmt: skip
