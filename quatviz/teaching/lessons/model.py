"""What a lesson is made of: steps, each with words, a scene, a question, and checks of the numbers that it states."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.base.markdown import to_plain_text
from quatviz.base.parameters import parameter, quote_value, validate
from quatviz.display.view_state.camera import VIEW_DIRECTIONS
from quatviz.display.view_state.choices import ANGLE_RANGE_CHOICE

CHECK_MEASURES = ("at", "max", "min", "largest", "mean", "spread", "crossing", "period", "slope", "end")
"""What a check takes of a curve: see `quatviz.teaching.lessons.checking`."""
REFUSAL_TOPIC = "lessons#when-a-lesson-is-refused"
MAX_CHOICES = 8
"""Of a question: what a room can keep apart, A to H."""
_RUN_KEYS = ("lanes", "duration", "dt", "sample_interval", "integrator")
_PLAYBACK_KEYS = ("time", "play", "still", "caption")
_CLAIM_KEYS = ("value", "below", "above", "status")


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
    view: str | None = parameter(
        default=None, choices=tuple(VIEW_DIRECTIONS), explanation="from where it is seen"
    )
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
        default=None,
        choices=ANGLE_RANGE_CHOICE.options,
        explanation="whether plots of angles jump at half a turn",
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
        validate(self)
        for name in ("lanes", "panels", "show", "hide"):
            object.__setattr__(self, name, text_tuple(getattr(self, name), name))
        if self.views == 3:
            raise InputError(
                expected="1, 2 or 4 views",
                found="3",
                remedy="write 2 or 4",
                key="views",
                topic="lessons#scene",
            )

    def resolved_after(self, previous: "Scene") -> "Scene":
        """This scene where `previous` was shown last: what it leaves open stays, but for where the cursor is. What it shows is
        hidden no more, and what it hides shown no more."""
        base = Scene() if self.anew else replace(previous, **dict.fromkeys(_PLAYBACK_KEYS))
        base = replace(base, show=_excluding(base.show, self.hide), hide=_excluding(base.hide, self.show))
        if self.preset is not None:
            base = replace(base, **dict.fromkeys(_RUN_KEYS))
        own_values = {
            scene_field.name: getattr(self, scene_field.name)
            for scene_field in fields(self)
            if scene_field.name != "anew"
        }
        return replace(base, **{name: value for name, value in own_values.items() if value is not None})

    @property
    def run_key(self) -> tuple[object, ...]:
        """What decides about the run."""
        return (self.preset, *(getattr(self, name) for name in _RUN_KEYS))


def _excluding(names: Sequence[str] | None, excluded: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(name for name in names if name not in (excluded or ()))


@dataclass(frozen=True)
class LessonCheck:
    """A number that the lesson states, and how it is measured in a run of the scene. See the help under Lessons."""

    name: str = parameter(explanation="what the words call it, in braces")
    quantity: str = parameter(default="", explanation="a column of a table, such as h_2 or lam, or |h|")
    lane: str = parameter(default="", explanation="name of the lane; the first where it is not said")
    minus: str = parameter(default="", explanation="another lane, which is subtracted sample by sample")
    over: str = parameter(default="", explanation="another lane, by whose measure this one is divided")
    measure: str = parameter(default="at", choices=CHECK_MEASURES, explanation="what is taken of the curve")
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
        validate(self)
        if not self.name.isidentifier():
            raise _key_error(
                "name", "letters, digits and _", repr(self.name), 'write for example name = "flip"'
            )
        claims = [name for name in _CLAIM_KEYS if getattr(self, name) is not None]
        if len(claims) != 1:
            raise _key_error(
                claims[-1] if claims else "name",
                phrase("one of the keys {names}", names=", ".join(_CLAIM_KEYS)),
                join_phrases(claims, "and") or "none",
                "say what the lesson states, once",
            )
        if self.status is not None:
            return
        if self.value is not None and self.tolerance is None:
            raise _key_error(
                "value", "a tolerance beside the value", "no such key", "add tolerance = ... to the check"
            )
        if self.measure == "at" and self.time is None:
            raise _key_error("time", "the time at which it is measured", "no such key", "add time = ...")
        if self.measure != "end" and not self.quantity:
            raise _key_error(
                "quantity", "what is measured", "no such key", 'add quantity = "h_2", for example'
            )

    @property
    def stated_value(self) -> float | None:
        """What the words state; None where it is a status."""
        return next((value for value in (self.value, self.below, self.above) if value is not None), None)

    def is_met_by(self, measured: float) -> bool:
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
        validate(self)
        object.__setattr__(self, "choices", text_tuple(self.choices, "choices"))
        if len(self.choices or ()) > MAX_CHOICES:
            count_text = phrase("{count} choices", count=len(self.choices or ()))
            raise _key_error(
                "choices",
                phrase("at most {most} choices", most=MAX_CHOICES),
                count_text,
                "leave out those that nobody takes",
            )
        if self.choices is not None and (len(self.choices) < 2 or self.answer not in self.choices):
            raise _key_error(
                "answer",
                "one of at least two choices, to the letter",
                repr(self.answer),
                "copy the right choice",
            )


@dataclass(frozen=True)
class LessonPart:
    """Words and the scene beside them."""

    text: str
    """Markdown without headings; formulae in LaTeX between dollars; numbers as names of checks in braces."""
    scene: Scene
    """Complete: what a scene leaves open has been taken from the one before."""


@dataclass(frozen=True)
class QuestionAndAnswer:
    """A question, and what it hides until it is answered."""

    question: Question
    answer: LessonPart


@dataclass(frozen=True)
class LessonStep:
    """One heading of a lesson with what stands below it: words and a scene, and questions, if any, one after the other."""

    title: str
    part: LessonPart
    questions: tuple[QuestionAndAnswer, ...] = ()
    checks: tuple[tuple[LessonCheck, Scene], ...] = ()
    """Each with the scene in whose run it is measured."""

    @property
    def parts(self) -> tuple[LessonPart, ...]:
        """All its words and scenes, in order."""
        return (self.part, *(item.answer for item in self.questions))


@dataclass(frozen=True)
class Lesson:
    """A lecture, prepared."""

    title: str
    summary: str
    steps: tuple[LessonStep, ...]
    source: str = ""
    minutes: int = 0
    """How long it takes; 0 where nobody has said."""
    name: str = field(default="", compare=False)
    path: Path | None = field(default=None, compare=False)

    @property
    def description(self) -> str:
        """Its summary as lists say it, without the marks of Markdown."""
        return to_plain_text(self.summary)

    @property
    def all_texts(self) -> list[str]:
        """All that is said in its steps, asked, and written below figures."""
        parts = [part for step in self.steps for part in step.parts]
        texts = [part.text for part in parts] + [part.scene.caption for part in parts if part.scene.caption]
        return texts + [item.question.ask for step in self.steps for item in step.questions]

    @property
    def checks(self) -> dict[str, LessonCheck]:
        """Every number that the lesson states, by name."""
        return {check.name: check for step in self.steps for check, _ in step.checks}


def text_tuple(value: object, key: str) -> tuple[str, ...] | None:
    """A list of texts; None where it was not given."""
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise _key_error(
            key, "a list of texts", quote_value(value), 'write for example ["hamilton", "exact"]'
        )
    return tuple(value)


def line_location(filename: str, line: int) -> str:
    """A line of the file of a lesson."""
    return phrase("{place}, line {line}", place=filename, line=line)


def lesson_error(location: str, expected: str, found: str, remedy: str, key: str = "") -> InputError:
    """Why a lesson cannot be used."""
    return InputError(location, expected=expected, found=found, remedy=remedy, key=key, topic=REFUSAL_TOPIC)


def _key_error(key: str, expected: str, found: str, remedy: str) -> InputError:
    return lesson_error(key, expected, found, remedy, key)
