"""What a lesson is made of: steps, each with words, a scene, a question, and checks of the numbers that it states."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from quatviz.base.errors import InputError, listed, phrase
from quatviz.base.markdown import plain
from quatviz.base.parameters import check, parameter, shown
from quatviz.display.view_state.camera import DIRECTIONS
from quatviz.display.view_state.choices import TURNS

MEASURES = ("at", "max", "min", "largest", "mean", "spread", "crossing", "period", "slope", "end")
"""What a check takes of a curve: see `quatviz.teaching.lessons.checking`."""
TOPIC = "lessons#when-a-lesson-is-refused"
MOST_CHOICES = 8
"""Of a question: what a room can keep apart, A to H."""
_OF_RUN = ("lanes", "duration", "dt", "sample_interval", "integrator")
_OF_MOMENT = ("time", "play", "still", "caption")
_CLAIMS = ("value", "below", "above", "status")


@dataclass(frozen=True)
class Scene:
    """What is seen beside the words. None means: as it is. A scene that names a preset begins with the preset's own
    lanes and settings."""

    anew: bool | None = parameter(
        default=None, explanation="whether nothing stays of the scene before, as at the first one"
    )
    preset: str | None = parameter(
        default=None, explanation="name of a preset, or of a TOML file beside the lesson"
    )
    lanes: Sequence[str] | None = None
    """Lanes as the command line writes them, such as `hamilton,dt=1e-2`; the preset's own where there are none."""
    duration: float | None = parameter(unit="s", default=None, above=0, explanation="simulated time")
    dt: float | None = parameter(unit="s", default=None, above=0, explanation="time step")
    sample_interval: float | None = parameter(
        unit="s", default=None, above=0, explanation="time between samples"
    )
    integrator: str | None = parameter(default=None, explanation="integrator of lanes that name none")
    panels: Sequence[str] | None = None
    """The plots that are seen, and no others; an empty list shows those of the run."""
    show: Sequence[str] | None = None
    hide: Sequence[str] | None = None
    """Items of the 3D view that are to be seen, and those that are not, whatever is seen at first."""
    views: int | None = parameter(
        default=None, minimum=1, maximum=4, explanation="number of 3D views: 1, 2 or 4"
    )
    view: str | None = parameter(default=None, choices=tuple(DIRECTIONS), explanation="from where it is seen")
    zoom: float | None = parameter(default=None, above=0, explanation="1 shows everything, 2 half of it")
    frame: str | None = parameter(
        default=None, choices=("space", "body"), explanation="whether the camera turns with the body"
    )
    components: str | None = parameter(
        default=None,
        choices=("body", "space"),
        explanation="whose axes plots of omega and h take their components along",
    )
    sequence: str | None = parameter(default=None, explanation="Euler angles that plots show, such as 313")
    turns: str | None = parameter(
        default=None, choices=TURNS.options, explanation="whether plots of angles jump at half a turn"
    )
    difference: bool | None = parameter(
        default=None, explanation="whether plots show lanes minus the reference lane"
    )
    magnify: int | None = parameter(
        default=None,
        minimum=0,
        maximum=12,
        explanation="power of ten by which differences are enlarged in 3D",
    )
    time: float | None = parameter(unit="s", default=None, minimum=0, explanation="where the cursor is put")
    play: bool | None = parameter(default=None, explanation="whether it plays")
    speed: float | None = parameter(default=None, explanation="seconds of motion for each second")
    still: float | None = parameter(
        unit="s",
        default=None,
        minimum=0,
        explanation="when its figure on a sheet shows it, in place of `time`",
    )
    caption: str | None = parameter(
        default=None, explanation="what stands below its figure on a sheet, in place of what it shows"
    )

    def __post_init__(self) -> None:
        check(self)
        for name in ("lanes", "panels", "show", "hide"):
            object.__setattr__(self, name, texts(getattr(self, name), name))
        if self.views == 3:
            raise InputError(
                expected="1, 2 or 4 views",
                found="3",
                remedy="write 2 or 4",
                key="views",
                topic="lessons#scene",
            )

    def after(self, before: "Scene") -> "Scene":
        """This scene where `before` was shown last: what it leaves open stays, but for where the cursor is. What it shows is hidden
        no more, and what it hides shown no more."""
        kept = Scene() if self.anew else replace(before, **dict.fromkeys(_OF_MOMENT))
        kept = replace(kept, show=_without(kept.show, self.hide), hide=_without(kept.hide, self.show))
        if self.preset is not None:
            kept = replace(kept, **dict.fromkeys(_OF_RUN))
        said = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "anew"}
        return replace(kept, **{name: value for name, value in said.items() if value is not None})

    @property
    def run(self) -> tuple[object, ...]:
        """What decides about the run."""
        return (self.preset, *(getattr(self, name) for name in _OF_RUN))


def _without(names: Sequence[str] | None, others: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(name for name in names if name not in (others or ()))


@dataclass(frozen=True)
class Check:
    """A number that the lesson states, and how it is measured in a run of the scene. See the help under Lessons."""

    name: str = parameter(explanation="what the words call it, in braces")
    quantity: str = parameter(default="", explanation="a column of a table, such as h_2 or lam, or |h|")
    lane: str = parameter(default="", explanation="name of the lane; the first where it is not said")
    minus: str = parameter(default="", explanation="another lane, which is subtracted sample by sample")
    over: str = parameter(default="", explanation="another lane, by whose measure this one is divided")
    measure: str = parameter(default="at", choices=MEASURES, explanation="what is taken of the curve")
    time: float | None = parameter(unit="s", default=None, minimum=0, explanation="where, for the measure at")
    start: float | None = parameter(
        unit="s", default=None, minimum=0, explanation="from where on it is measured"
    )
    stop: float | None = parameter(unit="s", default=None, above=0, explanation="up to where it is measured")
    level: float = parameter(default=0.0, explanation="the value that is crossed")
    count: int = parameter(default=1, minimum=1, explanation="the how-manieth crossing")
    value: float | None = parameter(default=None, explanation="what the lesson states")
    tolerance: float | None = parameter(
        default=None, minimum=0, explanation="by how much the measured one may differ"
    )
    below: float | None = parameter(
        default=None, explanation="in place of a value: what the measured one stays under"
    )
    above: float | None = parameter(
        default=None, explanation="in place of a value: what the measured one exceeds"
    )
    status: str | None = parameter(
        default=None, explanation="in place of a value: how the lane ends, as singular"
    )

    def __post_init__(self) -> None:
        check(self)
        if not self.name.isidentifier():
            raise _refusal(
                "name", "letters, digits and _", repr(self.name), 'write for example name = "flip"'
            )
        given = [name for name in _CLAIMS if getattr(self, name) is not None]
        if len(given) != 1:
            raise _refusal(
                given[-1] if given else "name",
                phrase("one of the keys {names}", names=", ".join(_CLAIMS)),
                listed(given, "and") or "none",
                "say what the lesson states, once",
            )
        if self.status is not None:
            return
        if self.value is not None and self.tolerance is None:
            raise _refusal(
                "value", "a tolerance beside the value", "no such key", "add tolerance = ... to the check"
            )
        if self.measure == "at" and self.time is None:
            raise _refusal("time", "the time at which it is measured", "no such key", "add time = ...")
        if self.measure != "end" and not self.quantity:
            raise _refusal("quantity", "what is measured", "no such key", 'add quantity = "h_2", for example')

    @property
    def number(self) -> float | None:
        """What the words state; None where it is a status."""
        return next((one for one in (self.value, self.below, self.above) if one is not None), None)

    def holds(self, measured: float) -> bool:
        """Whether a measured number is what the lesson states."""
        if self.below is not None:
            return abs(measured) <= self.below
        if self.above is not None:
            return measured >= self.above
        return abs(measured - (self.value or 0.0)) <= (self.tolerance or 0.0)


@dataclass(frozen=True)
class Question:
    """A question to the audience. With `choices` the answer is one of these, else the name of a check of the step."""

    ask: str = parameter(explanation="the question")
    answer: str = parameter(explanation="one of the choices; without choices, the name of a check")
    choices: Sequence[str] | None = None
    near: float = parameter(
        default=0.05, above=0, explanation="relative error of a number that still counts as right"
    )
    predict: bool = parameter(
        default=False, explanation="whether the scene behind it is seen first, its words a press later"
    )

    def __post_init__(self) -> None:
        check(self)
        object.__setattr__(self, "choices", texts(self.choices, "choices"))
        if len(self.choices or ()) > MOST_CHOICES:
            found = phrase("{count} choices", count=len(self.choices or ()))
            raise _refusal(
                "choices",
                phrase("at most {most} choices", most=MOST_CHOICES),
                found,
                "leave out those that nobody takes",
            )
        if self.choices is not None and (len(self.choices) < 2 or self.answer not in self.choices):
            raise _refusal(
                "answer",
                "one of at least two choices, to the letter",
                repr(self.answer),
                "copy the right choice",
            )


@dataclass(frozen=True)
class Part:
    """Words and the scene beside them."""

    words: str
    """Markdown without headings; formulae in LaTeX between dollars; numbers as names of checks in braces."""
    scene: Scene
    """Complete: what a scene leaves open has been taken from the one before."""


@dataclass(frozen=True)
class Asking:
    """A question, and what it hides until it is answered."""

    question: Question
    answer: Part


@dataclass(frozen=True)
class Step:
    """One heading of a lesson with what stands below it: words and a scene, and questions, if any, one after the other."""

    title: str
    part: Part
    asked: tuple[Asking, ...] = ()
    checks: tuple[tuple[Check, Scene], ...] = ()
    """Each with the scene in whose run it is measured."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """All its words and scenes, in order."""
        return (self.part, *(one.answer for one in self.asked))


@dataclass(frozen=True)
class Lesson:
    """A lecture, prepared."""

    title: str
    summary: str
    steps: tuple[Step, ...]
    source: str = ""
    minutes: int = 0
    """How long it takes; 0 where nobody has said."""
    name: str = field(default="", compare=False)
    path: Path | None = field(default=None, compare=False)

    @property
    def about(self) -> str:
        """Its summary as lists say it, without the marks of Markdown."""
        return plain(self.summary)

    @property
    def words(self) -> list[str]:
        """All that is said in its steps, asked, and written below figures."""
        parts = [part for step in self.steps for part in step.parts]
        said = [part.words for part in parts] + [part.scene.caption for part in parts if part.scene.caption]
        return said + [one.question.ask for step in self.steps for one in step.asked]

    @property
    def checks(self) -> dict[str, Check]:
        """Every number that the lesson states, by name."""
        return {check.name: check for step in self.steps for check, _ in step.checks}


def texts(value: object, key: str) -> tuple[str, ...] | None:
    """A list of texts; None where it was not given."""
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or not all(isinstance(one, str) for one in value):
        raise _refusal(key, "a list of texts", shown(value), 'write for example ["hamilton", "exact"]')
    return tuple(value)


def line_in(place: str, line: int) -> str:
    """A line of the file of a lesson."""
    return phrase("{place}, line {line}", place=place, line=line)


def refused(place: str, expected: str, found: str, remedy: str, key: str = "") -> InputError:
    """Why a lesson cannot be used."""
    return InputError(place, expected=expected, found=found, remedy=remedy, key=key, topic=TOPIC)


def _refusal(key: str, expected: str, found: str, remedy: str) -> InputError:
    return refused(key, expected, found, remedy, key)
