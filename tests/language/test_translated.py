"""Every text of the window can be translated: string literals are shown through `quatviz.base.translation.tr` only."""

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from PySide6.QtCore import QCoreApplication
from translators import UppercaseTranslator, installed_translator

import quatviz as qv
from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import format_error
from quatviz.base.translation import tr, translated_error
from quatviz.files.preset import RunSettings

PACKAGE = Path(__file__).resolve().parents[2] / "quatviz"
_DISPLAY_FUNCTIONS = """QLabel QPushButton Button QuietButton subheading QCheckBox QRadioButton QAction
QMenu QGroupBox addAction addMenu addItem addItems
addButton addTab addRow setText setToolTip setStatusTip setWindowTitle setTitle setPlaceholderText setAccessibleName
setAccessibleDescription setLabelText showMessage drawText set_markdown set_icon set_note set_sentence set_synopsis
set_texts set_numbers show_message show_status status_message.emit problem_reported.emit failed.emit time_refused.emit
paint_failed.emit getText getSaveFileName getOpenFileName getExistingDirectory show_proposed_vector ContinueEntry ChoiceBox
set_choices offer_fix offer_resume show_menu"""
DISPLAY_ARGUMENTS: dict[str, slice] = {
    **dict.fromkeys(
        _DISPLAY_FUNCTIONS.split(),
        slice(None),
    ),
    "IconButton": slice(1, 2),
    "FoldableSection": slice(None),
    "TileSection": slice(None),
    "_toggle": slice(1, 2),
    "set_corner": slice(1, 2),
    "show_session": slice(1, 2),
}
"""Functions that display texts, and the slice of their arguments that are texts."""
ALLOWED = {
    "quatviz",  # the program name
    "primary",  # the style of the main button of a dialog
    "kick",  # the arrow of the 3D view that `show_proposed_vector` draws
    "pause",  # names of icons, which the button's `set_icon` takes before its text
    "play",
    "loop",
}
WORD = re.compile(r"[^\W\d_]{2,}")
UNIT = re.compile(r"\b(rad|kg|ms|ns|min|deg|mm|pt|px|MB)\b|<[^>]*>|[^\W\d_]\w*#[\w-]+|\.\w+|\*\.\w+")
"""Texts that are not words: units, HTML tags, help topics, file suffixes."""
KEYS = re.compile(r"(Alt|Ctrl|Shift)[+ ].+|Left|Right|Space|Home|End|Esc")


def called(call: ast.Call) -> str:
    """Return the called name: `set` of `self.button.set(...)`, `failed.emit` of `self.failed.emit(...)`."""
    function = call.func
    if isinstance(function, ast.Attribute):
        owner = function.value
        holder = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
        return f"{holder}.emit" if function.attr == "emit" else function.attr
    return getattr(function, "id", "")


def texts(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the literals that may be the value of an argument."""
    if isinstance(node, ast.Constant | ast.JoinedStr):
        yield node
    elif isinstance(node, ast.IfExp):
        yield from (*texts(node.body), *texts(node.orelse))
    elif isinstance(node, ast.BoolOp):
        yield from (text for value in node.values for text in texts(value))
    elif isinstance(node, ast.BinOp):
        yield from (*texts(node.left), *texts(node.right))
    elif isinstance(node, ast.Tuple | ast.List):
        yield from (text for value in node.elts for text in texts(value))
    elif isinstance(node, ast.Dict):
        yield from (text for value in node.values for text in texts(value))


def literal_text(node: ast.expr) -> str:
    """Return the text of a literal without interpolated values."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "\0".join(
        str(part.value) for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def untranslated(source: str) -> list[str]:
    """Return line and text of each displayed literal that is not translated."""
    literals = []
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call) or called(call) not in DISPLAY_ARGUMENTS:
            continue
        shown = [*call.args[DISPLAY_ARGUMENTS[called(call)]], *(keyword.value for keyword in call.keywords)]
        for text in (text for argument in shown for text in texts(argument)):
            literal = literal_text(text)
            if literal not in ALLOWED and not KEYS.fullmatch(literal) and WORD.search(UNIT.sub("", literal)):
                literals.append(f"{text.lineno}: {literal!r}")
    return literals


def modules() -> list[Path]:
    return [*sorted((PACKAGE / "ui").rglob("*.py")), PACKAGE / "app.py"]


def test_every_displayed_text_is_translated() -> None:
    untranslated_texts = {
        str(path.relative_to(PACKAGE)): lines
        for path in modules()
        if (lines := untranslated(path.read_text(encoding="utf-8")))
    }
    assert not untranslated_texts, (
        f"write tr(...) from quatviz.base.translation around these: {untranslated_texts}"
    )


@pytest.mark.parametrize(
    "source",
    [
        'QLabel("Lanes")',
        'self.status_message.emit(f"Saved as {path}")',
        'button.setToolTip("On" if on else tr("Off"))',
        'IconButton("undo", "Undo", "Ctrl Z")',
        'ChoiceBox({True: "from the cursor"})',
    ],
)
def test_untranslated_text_is_found(source: str) -> None:
    assert untranslated(source)


@pytest.mark.parametrize(
    "source",
    [
        'QLabel(tr("Lanes"))',
        'self.status_message.emit(tr("Saved as {path}", path=path))',
        'label.setText(f"{omega} rad/s")',
        'IconButton("undo", tr("Undo"), "Ctrl Z")',
    ],
)
def test_translated_texts_and_texts_without_words_pass(source: str) -> None:
    assert not untranslated(source)


def test_no_object_uses_its_own_tr_method() -> None:
    """`QObject.tr` searches in the context of the class, for which quatviz has no translations."""
    own = [path.name for path in modules() if "self.tr(" in path.read_text(encoding="utf-8")]
    assert not own


ERROR_FUNCTIONS = {
    "InputError",
    "ExpressionError",
    "schema_error",
    "lesson_error",
    "function_error",
    "describe_refusal",
    "_refusal",
    "_refusal_reason",
    "_parameter_error",
    "_potential_error",
    "_mesh_error",
    "_axis_error",
    "_lagrangian_error",
    "_title_error",
    "_key_error",
    "_too_large_error",
    "_memory_error",
    "_store_refusal",
    "_refuse",
    "_refuse_arguments",
    "refuse",
    "_report_error",
}
"""Functions and classes that create errors, whose sentences are translated when they are displayed."""


def unphrased(source: str) -> list[str]:
    """Return line and text of each error sentence that contains values without a template."""
    literals = []
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and called(call) in ERROR_FUNCTIONS:
            arguments = [
                *call.args,
                *(keyword.value for keyword in call.keywords if keyword.arg not in ("key", "topic")),
            ]
            for text in (text for argument in arguments for text in texts(argument)):
                if isinstance(text, ast.JoinedStr) and re.search(
                    r"[a-z]{2,} | [a-z]{2,}", UNIT.sub("", literal_text(text))
                ):
                    literals.append(f"{text.lineno}: {literal_text(text)!r}")
            for sum_ in (argument for argument in arguments if isinstance(argument, ast.BinOp)):
                literals += [
                    f"{text.lineno}: {literal_text(text)!r}"
                    for text in texts(sum_)
                    if WORD.search(literal_text(text))
                ]
    return literals


FILE_NAMES = {"run", "figure", "study"}
"""File names that a phrase proposes."""


def untranslated_values(source: str) -> list[str]:
    """Return line and text of each literal word that is a value of a phrase or joins a list."""
    literals = []
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        given = [keyword.value for keyword in call.keywords] if called(call) == "phrase" else []
        if isinstance(call.func, ast.Attribute) and call.func.attr == "join":
            given = [call.func.value]
        for text in (text for value in given for text in texts(value)):
            if literal_text(text) not in FILE_NAMES and re.search(
                r"[a-z]{2,}", UNIT.sub("", literal_text(text))
            ):
                literals.append(f"{text.lineno}: {literal_text(text)!r}")
    return literals


def test_every_error_sentence_can_be_translated() -> None:
    paths = [path for path in sorted(PACKAGE.rglob("*.py")) if not {"bench", "commands"} & set(path.parts)]
    untranslated_texts = {
        str(path.relative_to(PACKAGE)): lines
        for path in paths
        if (lines := [*unphrased(text := path.read_text(encoding="utf-8")), *untranslated_values(text)])
    }
    assert not untranslated_texts, (
        f"write phrase(...) from quatviz.base.errors around these: {untranslated_texts}"
    )


@pytest.mark.parametrize(
    "source",
    [
        'InputError("dt", expected=f"at most {limit} s", found="1", remedy="less")',
        'InputError("dt", expected="at most " + limit, found="1", remedy="less")',
        'InputError("dt", expected="a step", found=f"{limit} of them", remedy="less")',
        'phrase("{names}", names=", ".join(names) or "none of them")',
        'phrase("{count} {what}", count=3, what="rows" if rows else "numbers")',
        'found = " and ".join(names)',
    ],
)
def test_untranslatable_sentence_is_found(source: str) -> None:
    assert unphrased(source) or untranslated_values(source)


def test_values_of_a_phrase_match_its_template() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(call, ast.Call) and called(call) == "phrase" and call.args):
                continue
            if isinstance(call.args[0], ast.Constant):
                named = {name for _, name, _, _ in Formatter().parse(str(call.args[0].value)) if name}
                assert named == {keyword.arg for keyword in call.keywords}, f"{path.name}, line {call.lineno}"


def test_core_error_is_translated_when_displayed(qapp: QCoreApplication) -> None:
    with pytest.raises(InputError) as caught:
        RunSettings(duration=0.5, dt=0.1, sample_interval=1.0)
    with installed_translator(qapp, UppercaseTranslator()):
        error = translated_error(caught.value)
        shown = format_error(caught.value)
    assert caught.value.expected == "at most the duration, 0.5 s"
    assert error.expected == "AT MOST THE DURATION, 0.5 S"
    assert error.remedy == "SAMPLE MORE OFTEN, OR RUN FOR LONGER"
    assert (error.key, error.topic) == (caught.value.key, caught.value.topic)
    assert "AT MOST THE DURATION" in shown


def test_phrase_is_a_string_and_nested_phrases_are_translated(qapp: QCoreApplication) -> None:
    inner = phrase("the file {path}", path="a b")
    outer = phrase("{place} is lost, {count:d} bytes", place=inner, count=3)
    assert outer == "the file a b is lost, 3 bytes"
    assert pickle.loads(pickle.dumps(outer)).template == outer.template
    with installed_translator(qapp, UppercaseTranslator()):
        assert tr(outer) == "THE FILE a b IS LOST, 3 BYTES"


def test_end_message_of_a_lane_is_translated_with_its_reason(qapp: QCoreApplication) -> None:
    run = qv.simulate(qv.load_preset("gimbal_lock"), lanes=["euler_angles/321", "exact"])
    locked, unknown = run.lanes
    with installed_translator(qapp, UppercaseTranslator()):
        message, reason = tr(locked.message), tr(unknown.message)
    assert message.startswith("euler_angles/321 ENDED AT T = ")
    assert "3-2-1 ANGLES ARE LOCKED: THE PITCH IS" in message
    assert message.lower() == locked.message.lower()
    assert reason.startswith("exact HAS NOTHING TO SHOW: NO CLOSED FORM IS KNOWN FOR THIS RUN")
    assert "STEADY ROTATION NEEDS OMEGA PARALLEL TO H" in reason
