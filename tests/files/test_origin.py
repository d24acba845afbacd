"""The preset that an edited run comes from, and which of its sentences may no longer be true."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.base.markdown import prevent_breaks
from quatviz.base.resources import preset_folder, user_preset_folder
from quatviz.display.view_state.session import Session, format_session, parse_session, read_session
from quatviz.display.view_state.view_state import ViewState
from quatviz.files.preset import Preset, parse_dependencies
from quatviz.files.preset_edits import (
    OUTDATED_MARK,
    describe_edits,
    edits_notice,
    find_origin,
    mark_outdated_sentences,
    marked_text,
    shown_title,
    summarize_sections,
)
from quatviz.files.preset_reading import format_preset, parse_preset, read_preset
from quatviz.physics.events.kick import Kick
from quatviz.physics.mechanics.initial import Initial

TOP = qv.load_preset("heavy_top")


def test_edited_session_finds_its_original_preset(tmp_path: Path) -> None:
    edited = replace(TOP, run=replace(TOP.run, duration=3.0))
    path = tmp_path / "mine.toml"
    path.write_text(format_session(Session(edited, ViewState())), "utf-8")
    opened = read_session(path).preset
    assert find_origin(opened) == TOP
    assert describe_edits(opened, TOP) == {"Run": "run (duration)"}
    assert find_origin(replace(opened, title="Untitled", path=None)) is None


def test_title_and_texts_of_an_edited_run_say_so() -> None:
    edited = replace(TOP, body=replace(TOP.body, mass=3.0))
    assert shown_title(edited) == "Heavy symmetric top (edited)"
    assert shown_title(replace(TOP, lanes=TOP.lanes[:1], run=replace(TOP.run, dt=2e-3))) == TOP.title
    assert shown_title(replace(edited, title="Untitled", path=None)) == "Untitled", (
        "no preset to compare with"
    )
    assert marked_text(TOP.summary, TOP) == TOP.summary
    marks = [
        sentence for sentence, is_outdated in mark_outdated_sentences(TOP.watch, ["Body"], TOP) if is_outdated
    ]
    assert marked_text(TOP.watch, edited).count(OUTDATED_MARK) == len(marks) > 0


def test_session_without_its_preset_says_that_texts_may_not_fit(tmp_path: Path) -> None:
    own = user_preset("lent_top", replace(TOP, title="Lent top"))
    run = read_preset(own)
    session = tmp_path / "lent.toml"
    session.write_text(
        format_session(Session(replace(run, body=replace(run.body, mass=3.0)), ViewState())), "utf-8"
    )
    lent = read_session(session).preset
    edits = describe_edits(lent, run)
    assert edits_notice(lent, edits).startswith("Edited: body (mass).")
    own.unlink()  # as on the computer of a colleague
    assert find_origin(lent) is None
    assert "the preset “lent_top”, which is not on this computer" in edits_notice(lent, {})
    assert edits_notice(TOP, {}) == ""


def test_user_preset_is_its_own_origin() -> None:
    mine = replace(TOP, title="Mine", loads=())
    path = user_preset_folder() / "mine.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    for preset in (mine, replace(mine, speed=0.5)):
        path.write_text(format_preset(preset), "utf-8")
        assert find_origin(read_preset(path)) == preset
    path.unlink()


def user_preset(name: str, preset: Preset) -> Path:
    path = user_preset_folder() / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(format_preset(preset), "utf-8")
    return path


def test_session_names_its_preset_among_presets_with_the_same_title(tmp_path: Path) -> None:
    copied = user_preset("copied_top", replace(TOP, speed=0.5))
    session = tmp_path / "mine.toml"
    try:
        for path, name in ((copied, "copied_top"), (preset_folder() / "heavy_top.toml", "heavy_top")):
            run = read_preset(path)
            for _ in range(2):  # a session that was opened and saved again still names the preset
                session.write_text(format_session(Session(run, ViewState())), "utf-8")
                run = read_session(session).preset
                assert (run.origin, run.path) == (name, session)
                assert read_preset(session).origin == name
            assert find_origin(replace(run, path=None)) == read_preset(path)
        assert find_origin(replace(run, origin="")) is None, (
            "an older session, and two presets with its title"
        )
    finally:
        copied.unlink()
    assert find_origin(replace(run, origin="")) == TOP
    assert find_origin(replace(run, origin="copied_top")) is None


def test_preset_that_is_saved_later_is_found() -> None:
    run = replace(TOP, title="Saved later", name="", path=None)
    assert find_origin(run) is None
    path = user_preset("saved_later", run)
    try:
        assert find_origin(run) == run
    finally:
        path.unlink()
    assert find_origin(run) is None


def test_name_of_the_origin_is_a_text() -> None:
    text = format_session(Session(TOP, ViewState()))
    assert text.startswith('session = 2\norigin = "heavy_top"\n')
    for parse in (parse_session, parse_preset):
        with pytest.raises(InputError, match=r"(?s)origin.*the name of a preset"):
            parse(text.replace('"heavy_top"', "3"))
    with pytest.raises(InputError, match="origin"):
        parse_preset('origin = "heavy_top"\n' + format_preset(TOP))


def test_equivalent_values_are_not_edits() -> None:
    body, initial = TOP.body, TOP.initial
    turned = Initial(euler_parameters=initial.p(), angular_momentum=body.inertia @ initial.omega(body))
    assert turned != initial
    assert describe_edits(replace(TOP, initial=turned), TOP) == {}
    faster = replace(turned, angular_momentum=1.001 * np.asarray(turned.angular_momentum))
    kick = Kick(at=1.0, impulse=[0, 0, 1.0])
    edited = replace(
        TOP, body=replace(body, mass=3.0), initial=faster, loads=(), events=(kick,), lanes=TOP.lanes[1:]
    )
    assert list(describe_edits(edited, TOP)) == ["Body", "Initial state", "Loads", "Events", "Lanes"]
    assert describe_edits(edited, TOP)["Body"] == "body (mass)"
    called = replace(TOP.lanes[0], name="mine")
    assert describe_edits(replace(TOP, lanes=(called, *TOP.lanes[1:])), TOP) == {}, "a name computes nothing"


def test_loads_of_lanes_are_edited_loads() -> None:
    """A law of one lane pushes the body as a load of the run does, so that the same sentences become doubtful."""
    preset = qv.load_preset("torque_free")
    law = qv.TorqueLaw(law="n = -D*omega", gains={"D": 0.1})
    lanes = tuple(replace(lane, loads=(law,)) for lane in preset.lanes)
    edits = describe_edits(replace(preset, lanes=lanes), preset)
    assert edits == {"Loads": "loads of lanes", "Lanes": "lanes"}
    doubted = " ".join(
        sentence
        for sentence, doubtful in mark_outdated_sentences(f"{preset.summary}\n{preset.watch}", edits, preset)
        if doubtful
    )
    for phrase in ("pushes it", "Energy and angular momentum", "The arrow h", "Both lanes"):
        assert phrase in doubted, phrase
    added = replace(preset, lanes=(*preset.lanes, replace(preset.lanes[0], name="damped", loads=(law,))))
    assert "Loads" in describe_edits(added, preset)
    assert "Loads" not in describe_edits(preset, added), "a lane that is removed pushes no other"


def test_full_inertia_is_described_by_principal_moments() -> None:
    """The diagonal alone would describe another body."""
    assert summarize_sections(TOP)["Body"].startswith("J = ")
    full = qv.Body(inertia=[[2, 1, 0], [1, 2, 0], [0, 0, 2.5]])
    assert (
        summarize_sections(replace(qv.load_preset("torque_free"), body=full))["Body"]
        == "principal J = 1, 2.5, 3 kg m²"
    )


@pytest.mark.parametrize(
    ("sentence", "motion", "lanes"),
    [
        ("One nod lasts 0.6823 s.", True, False),
        ("The tilt stays at 60 degrees.", True, False),
        ("The error is 6e-7 at most.", True, False),
        ("All curves coincide.", True, True),
        ("Hamilton needs none.", True, True),
        ("In 3-2-1 angles h2 and 4T and 8/q1 are what they are.", False, False),
        ("Nothing pushes it.", False, False),
        ("A body spun about its axis of intermediate inertia turns over, for ever.", True, False),
        ("The arrow h does not move while the body turns over.", True, False),
        ("It does not fall, it nods.", True, False),
    ],
)
def test_edits_invalidate_dependent_claims(sentence: str, motion: bool, lanes: bool) -> None:
    text = f"It is a top. {sentence}\nThere is no more"
    for edited, doubted in ((["Body"], motion), (["Lanes"], lanes), (["Run"], lanes), ([], False)):
        expected = [("It is a top.", False), (sentence, doubted), ("There is no more", False)]
        assert mark_outdated_sentences(text, edited, TOP) == expected


@pytest.mark.parametrize("name", sorted(path.stem for path in preset_folder().glob("*.toml")))
def test_every_claim_dependency_matches_one_sentence(name: str) -> None:
    preset = qv.load_preset(name)
    sentences = [
        sentence
        for text in (preset.summary, preset.watch)
        for sentence, _ in mark_outdated_sentences(text, (), preset)
    ]
    for dependency in parse_dependencies(preset.depends):
        assert sum(sentence.startswith(dependency) for sentence in sentences) == 1, dependency


OF_ITS_MOTION = [
    "A body with three",
    "The body wobbles",
    "Look at the plots of h",
    "The others, h₂ and h₃",
    "The body does not return",
]
"""Let go about a principal axis, a body does nothing of this."""


@pytest.mark.parametrize(
    ("edited", "doubted"),
    [
        ("Initial state", OF_ITS_MOTION),
        ("Body", OF_ITS_MOTION),
        ("Loads", [OF_ITS_MOTION[0], "Energy and", "The exact motion", "The arrow h", *OF_ITS_MOTION[1:]]),
        ("Lanes", ["Both lanes"]),
        ("Run", []),
    ],
)
def test_general_claims_are_invalidated_only_if_dependent(edited: str, doubted: list[str]) -> None:
    """The direction of h in space is constant for every free body, so that only some edits invalidate this claim."""
    preset = qv.load_preset("torque_free")
    text = prevent_breaks(f"{preset.summary}\n{preset.watch}")
    sentences = [
        sentence for sentence, doubtful in mark_outdated_sentences(text, [edited], preset) if doubtful
    ]
    assert len(sentences) == len(doubted)
    assert all(sentence.startswith(begin) for sentence, begin in zip(sentences, doubted, strict=True))


@pytest.mark.parametrize("edited", ["Body", "Initial state"])
def test_intermediate_axis_claims_depend_on_body_and_initial_state(edited: str) -> None:
    """With its second moment as the largest, the body spins steadily; h in space is still constant."""
    preset = qv.load_preset("intermediate_axis")
    sentences = dict(mark_outdated_sentences(f"{preset.summary}\n{preset.watch}", [edited], preset))
    doubted = {start for start, doubtful in sentences.items() if doubtful}
    for start in ("A body spun about", "Nothing pushes it", "The body turns over"):
        assert any(sentence.startswith(start) for sentence in doubted), start
    assert not any(sentence.startswith("The arrow h") for sentence in doubted)


@pytest.mark.parametrize("line", ["The arrow h: weather", "The arrow h", ": loads"])
def test_unknown_claim_dependencies_are_refused(line: str) -> None:
    with pytest.raises(InputError) as caught:
        replace(TOP, depends=line)
    assert caught.value.key == "depends"


def test_names_of_lanes_are_found_as_whole_words() -> None:
    """They are not compiled to a regular expression, which took half a second for the longest names of 200 lanes."""
    lanes = (
        qv.Lane("newton_euler", integrator="rk4", name="run (1.5)"),
        qv.Lane("newton_euler", name="Straße"),
    )
    preset = replace(TOP, lanes=lanes, depends="")
    for sentence, is_outdated in (
        ("See RUN (1.5) there.", True),
        ("See run (1.5)b there.", False),
        ("See _run (1.5) there, and run (1.5).", True),
        ("STRASSE comes first.", True),
        ("Runge needs rk4 here.", True),
        ("Runge needs rk45 here.", False),
    ):
        assert mark_outdated_sentences(sentence, ["Lanes"], preset) == [(sentence, is_outdated)]
