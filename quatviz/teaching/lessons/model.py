"""Data model of a lesson: steps with a text, a scene, questions, and checks of the numbers stated in the text."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.base.markdown import to_plain_text
from quatviz.base.parameters import parameter, quote_value, validate
from quatviz.display.view_state.camera import VIEW_DIRECTIONS
from quatviz.display.view_state.choices import ANGLE_RANGE_CHOICE

CHECK_MEASURES = ("at", "max", "min", "largest", "mean", "spread", "crossing", "period", "slope", "end")
"""Names of the measures of checks: numbers that can be measured on a curve. `quatviz.teaching.lessons.checking`
explains them."""
REFUSAL_TOPIC = "lessons#when-a-lesson-is-refused"
MAX_CHOICES = 8
"""Largest number of choices of a question, A to H."""
_RUN_KEYS = ("lanes", "duration", "dt", "sample_interval", "integrator")
_PLAYBACK_KEYS = ("time", "play", "still", "caption")
_CLAIM_KEYS = ("value", "below", "above", "status")


@dataclass(frozen=True)
class Scene:
    """Content of the window while a text of a lesson is shown: run, views, plots and playback.

    A field that is None keeps its value in the previous scene. A scene that names a preset starts with the preset's lanes
    and settings.
    """

    anew: bool | None = parameter(
        default=None, explanation="whether the scene starts from the defaults instead of the previous scene"
    )
    preset: str | None = parameter(
        default=None, explanation="name of a preset, or of a TOML file beside the lesson"
    )
    lanes: Sequence[str] | None = None
    """Lanes as on the command line, such as `hamilton,dt=1e-2`; None for those of the preset."""
    duration: float | None = parameter(unit="s", default=None, above=0, explanation="simulated time")
    dt: float | None = parameter(unit="s", default=None, above=0, explanation="time step")
    sample_interval: float | None = parameter(
        unit="s", default=None, above=0, explanation="time between samples"
    )
    integrator: str | None = parameter(default=None, explanation="integrator of lanes without their own")
    panels: Sequence[str] | None = None
    """Plots to show. An empty list means the default plots of the run."""
    show: Sequence[str] | None = None
    hide: Sequence[str] | None = None
    """Names of 3D items to hide. The field `show` has the names of 3D items to show."""
    views: int | None = parameter(
        default=None, minimum=1, maximum=4, explanation="number of 3D views: 1, 2 or 4"
    )
    view: str | None = parameter(
        default=None, choices=tuple(VIEW_DIRECTIONS), explanation="direction of view"
    )
    zoom: float | None = parameter(default=None, above=0, explanation="1 shows everything, 2 half of it")
    frame: str | None = parameter(
        default=None, choices=("space", "body"), explanation="whether the camera turns with the body"
    )
    components: str | None = parameter(
        default=None,
        choices=("body", "space"),
        explanation="frame of the components in plots of omega and h",
    )
    sequence: str | None = parameter(
        default=None, explanation="sequence of the Euler angles in plots, such as 313"
    )
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
        explanation="power of ten by which differences are magnified in 3D",
    )
    time: float | None = parameter(unit="s", default=None, minimum=0, explanation="time of the cursor")
    play: bool | None = parameter(default=None, explanation="whether the run plays")
    speed: float | None = parameter(default=None, explanation="seconds of motion per second")
    still: float | None = parameter(
        unit="s",
        default=None,
        minimum=0,
        explanation="time that its figure on a worksheet shows, instead of `time`",
    )
    caption: str | None = parameter(
        default=None, explanation="caption of its figure on a worksheet, instead of the default"
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
        """Return a copy of this scene in which fields that are None have the values of the `previous` scene.

        Playback fields are not copied. Items that this scene shows are no longer hidden, and items that it hides are no
        longer shown.
        """
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
        """Values of the fields that determine the run of the scene. Scenes with equal keys share a run."""
        return (self.preset, *(getattr(self, name) for name in _RUN_KEYS))


def _excluding(names: Sequence[str] | None, excluded: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(name for name in names if name not in (excluded or ()))


@dataclass(frozen=True)
class LessonCheck:
    """A number that the lesson states, and how it is measured in a run of the scene. See the help page on lessons."""

    name: str = parameter(explanation="name in the text, in braces")
    quantity: str = parameter(default="", explanation="a column of a table, such as h_2 or lam, or |h|")
    lane: str = parameter(default="", explanation="name of the lane; default: the first")
    minus: str = parameter(default="", explanation="another lane, which is subtracted sample by sample")
    over: str = parameter(default="", explanation="another lane; the result is divided by its measure")
    measure: str = parameter(
        default="at", choices=CHECK_MEASURES, explanation="how the number is measured from the curve"
    )
    time: float | None = parameter(unit="s", default=None, minimum=0, explanation="time of the measure `at`")
    start: float | None = parameter(
        unit="s", default=None, minimum=0, explanation="start of the measured range"
    )
    stop: float | None = parameter(unit="s", default=None, above=0, explanation="end of the measured range")
    level: float = parameter(default=0.0, explanation="value whose crossings are measured")
    count: int = parameter(default=1, minimum=1, explanation="number of the crossing, from 1")
    value: float | None = parameter(default=None, explanation="what the lesson states")
    tolerance: float | None = parameter(
        default=None, minimum=0, explanation="largest difference from the measured value"
    )
    below: float | None = parameter(
        default=None, explanation="instead of a value: upper bound of the magnitude"
    )
    above: float | None = parameter(default=None, explanation="instead of a value: lower bound")
    status: str | None = parameter(
        default=None, explanation="instead of a value: final status of the lane, such as singular"
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
                "give exactly one of these keys",
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
        """Value or bound that the lesson text states for the check. It is None if the check concerns the status of a lane."""
        return next((value for value in (self.value, self.below, self.above) if value is not None), None)

    def is_met_by(self, measured: float) -> bool:
        """Return True if a measured number agrees with the value or bound that the lesson states."""
        if self.below is not None:
            return abs(measured) <= self.below
        if self.above is not None:
            return measured >= self.above
        return abs(measured - (self.value or 0.0)) <= (self.tolerance or 0.0)


@dataclass(frozen=True)
class Question:
    """A question to the audience. `answer` is one of the `choices`. Without choices, it is the name of a check of
    the step."""

    ask: str = parameter(explanation="the question")
    answer: str = parameter(explanation="one of the choices; without choices, the name of a check")
    choices: Sequence[str] | None = None
    near: float = parameter(
        default=0.05, above=0, explanation="relative error of a number that still counts as right"
    )
    predict: bool = parameter(
        default=False, explanation="whether the scene of the answer is shown before its text"
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
                "remove choices that nobody takes",
            )
        if self.choices is not None and (len(self.choices) < 2 or self.answer not in self.choices):
            raise _key_error(
                "answer",
                "exactly one of at least two choices",
                repr(self.answer),
                "copy the text of the right choice",
            )


@dataclass(frozen=True)
class LessonPart:
    """A text and the scene that is shown with it."""

    text: str
    """Text in Markdown without headings. LaTeX formulas are between dollar signs, and names of checks in braces are replaced
    by numbers."""
    scene: Scene
    """Scene in which every field has a value. Fields that the lesson leaves open have the values of the previous scene."""


@dataclass(frozen=True)
class QuestionAndAnswer:
    """A question, and the text and scene of the answer, which is hidden at first."""

    question: Question
    answer: LessonPart


@dataclass(frozen=True)
class LessonStep:
    """A step of a lesson: a heading with a text, a scene, and any number of questions."""

    title: str
    part: LessonPart
    questions: tuple[QuestionAndAnswer, ...] = ()
    checks: tuple[tuple[LessonCheck, Scene], ...] = ()
    """Checks of the step. Each comes with the scene that defines the run in which it is measured."""

    @property
    def parts(self) -> tuple[LessonPart, ...]:
        """All texts and scenes of the step, in order."""
        return (self.part, *(item.answer for item in self.questions))


@dataclass(frozen=True)
class Lesson:
    """A lesson: a lecture that consists of steps."""

    title: str
    summary: str
    steps: tuple[LessonStep, ...]
    source: str = ""
    minutes: int = 0
    """Duration [min]; 0 if unknown."""
    name: str = field(default="", compare=False)
    path: Path | None = field(default=None, compare=False)

    @property
    def description(self) -> str:
        """Summary as plain text, for lists."""
        return to_plain_text(self.summary)

    @property
    def all_texts(self) -> list[str]:
        """All texts of the lesson: texts of the steps, captions of figures, and questions."""
        parts = [part for step in self.steps for part in step.parts]
        texts = [part.text for part in parts] + [part.scene.caption for part in parts if part.scene.caption]
        return texts + [item.question.ask for step in self.steps for item in step.questions]

    @property
    def checks(self) -> dict[str, LessonCheck]:
        """All checks by name."""
        return {check.name: check for step in self.steps for check, _ in step.checks}


def text_tuple(value: object, key: str) -> tuple[str, ...] | None:
    """Return a list of texts as a tuple, or None for None. Raise an `InputError` for any other value."""
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise _key_error(
            key, "a list of texts", quote_value(value), 'write for example ["hamilton", "exact"]'
        )
    return tuple(value)


def line_location(filename: str, line: int) -> str:
    """Return the words with which an error names a line of a lesson file."""
    return phrase("{place}, line {line}", place=filename, line=line)


def lesson_error(location: str, expected: str, found: str, remedy: str, key: str = "") -> InputError:
    """Return the error that is raised for an invalid lesson."""
    return InputError(location, expected=expected, found=found, remedy=remedy, key=key, topic=REFUSAL_TOPIC)


def _key_error(key: str, expected: str, found: str, remedy: str) -> InputError:
    return lesson_error(key, expected, found, remedy, key)
