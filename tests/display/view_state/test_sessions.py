"""Sessions as text and as a short code: round trips, and fast errors for any input."""

import base64
import hashlib
import random
import time
import tracemalloc
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.display.view_state.arrangement import PanelLayout
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.display.view_state.session import (
    SHORT_TEXT_PREFIX,
    Session,
    format_session,
    from_short_text,
    parse_session,
    read_session,
    to_short_text,
)
from quatviz.display.view_state.view_layout import ViewLayout
from quatviz.display.view_state.view_state import ViewState
from quatviz.files.limits import MAX_TEXT_BYTES
from quatviz.files.preset_reading import format_preset, parse_preset, read_preset

LOOK = ViewState(
    cursor=4.25,
    speed=-0.5,
    loop=True,
    selected=(1.0, 2.5),
    lanes=LaneStyles((3, 0), ("hidden", "ghost"), 1),
    panels={"energy": False, "plug-in panel": True},
    items={"trail": True},
    views=ViewLayout(number=2, from_body={1: True, 3: False}),
    sections=("Lanes", "Body"),
    layout=PanelLayout(blocks=(("a", "b\n"), ("c",))),
    reference="hamilton",
    difference=True,
)
EVENTS = (
    qv.Kick(at=1.0, impulse=[1, 2, 3]),
    qv.ChangeModel(at=2.0, body=qv.Body(inertia=[1, 2, 2.5]), loads=[qv.Torque(torque=[1, 0, 0])]),
    qv.SetState(at=3.0, angular_velocity=[0, 0, 1]),
)
SESSION = Session(replace(qv.load_preset("torque_free"), events=EVENTS), LOOK)
SECOND = 1.0
"""Longest processor time [s], which does not depend on the load of the machine."""


def refusal(read: Callable[..., object], *arguments: object) -> InputError:
    """Return the error of reading, found within a second and little memory."""
    spent: list[float] = []
    while not spent or (
        spent[-1] > SECOND and len(spent) < 3
    ):  # a garbage collection may fall into one of them
        started = time.process_time()
        with pytest.raises(InputError) as caught:
            read(*arguments)
        spent.append(time.process_time() - started)
    assert min(spent) < SECOND
    return caught.value


def test_session_text_round_trip() -> None:
    text = format_session(SESSION)
    assert parse_session(text) == SESSION
    assert format_session(parse_session(text)) == text
    assert parse_preset(text) == SESSION.preset, "a session is a preset too"
    plain = Session(SESSION.preset)
    assert parse_session(format_session(plain)) == plain
    assert parse_session(format_preset(SESSION.preset)) == plain


def test_session_file_round_trip(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(format_session(SESSION), "utf-8")
    session = read_session(file)
    assert session == SESSION
    assert (session.preset.name, session.preset.path) == ("mine", file)
    assert read_preset(file) == SESSION.preset
    assert qv.load_preset(file) == SESSION.preset


@pytest.mark.parametrize("name", ["torque_free", "six_lambdas", "ring_damper", "gimbal_lock", "stiff_top"])
def test_every_run_fits_a_short_code(name: str) -> None:
    session = Session(qv.load_preset(name), LOOK)
    word = to_short_text(session)
    assert word.startswith(SHORT_TEXT_PREFIX)
    assert len(word) < 0.8 * len(format_session(session))
    assert from_short_text(word) == session
    broken = "\n > ".join(word[at : at + 60] for at in range(0, len(word), 60))
    assert from_short_text(broken.replace(" > ", "  ")) == session, "an e-mail breaks lines"
    assert from_short_text(format_preset(session.preset)) == Session(session.preset)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("session = 2", "session = 3", "newer version needs a newer quatviz"),
        ("session = 2", "session = true", "session = 2, the version of the text"),
        ("session = 2\n", "", "only the keys panels, layout, "),
        ("format = 1", "format = 2", "format = 1, the version of the text"),
        ("cursor = 4.25", 'cursor = "now"', "a number up to"),
        ("cursor = 4.25", "cursor = inf", "a number up to"),
        ("cursor = 4.25", "cursr = 4.25", "did you mean 'cursor'"),
        ("selected = [1, 2.5]", "selected = [1]", "two times"),
        ('"hidden"', '"seen"', "one of body, ghost, plots, hidden"),
        ("energy = false", "energy = 0", "true or false"),
        ("loop = true", "loop = 1", "true or false"),
        ("colours = [3, 0]", "colours = [3, -1]", "a whole number from 0"),
        ('sections = ["Lanes"', "sections = [1", "a text of at most"),
    ],
)
def test_errors_are_reported_with_their_line(old: str, new: str, message: str) -> None:
    text = format_session(SESSION)
    assert old in text
    error = refusal(parse_session, text.replace(old, new, 1), "mine.toml")
    assert message in str(error)
    assert error.place.startswith("mine.toml, line ")


def nested(depth: int, opening: str, closing: str) -> str:
    return f"format = 1\ntitle = {opening * depth}1{closing * depth}\n"


HUGE = {
    "arrays": nested(10_000, "[", "]"),
    "inline tables": nested(10_000, "{a = ", "}"),
    "arrays that tomllib still reads": nested(150, "[", "]"),
    "a key of many parts": "format = 1\n" + ".".join("a" * 90_000) + " = 1\n",
    "a key of many quoted parts": "format = 1\nx = {" + ".".join(['"a b"'] * 30_000) + " = 1}\n",
    "a heading of many parts": "format = 1\n[title." + ".".join("a" * 10_000) + "]\n",
    "many headings": "format = 1\n" + "".join(f"[a{n}]\n" for n in range(4900)),
    "many keys": "format = 1\n" + "".join(f"a{n} = 1\n" for n in range(4900)),
    "many lines": "format = 1\n" + "".join(f"a{n} = 1\n" for n in range(18_000)),
    "a long number": f"format = 1\ntitle = {'1' * 180_000}\n",
    "a long hexadecimal number": f"format = 0x{'f' * 180_000}\n",
    "a long key": f"format = 1\n{'a' * 190_000} = 1\n",
    "quotes": "format = 1\ntitle = " + '"' * 190_000,
    "backslashes": 'format = 1\ntitle = "' + "\\" * 190_000,
    "a zero": "\0" * 1000,
}


@pytest.mark.parametrize("what", [*HUGE, "a hundred megabytes"])
def test_huge_texts_are_rejected_within_a_second(what: str) -> None:
    text = HUGE.get(what) or "a" * 100_000_000  # without keeping it
    assert str(refusal(parse_session, text, "monster.toml")).startswith("monster.toml")
    refusal(from_short_text, text)


def test_large_files_are_not_read(tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    with file.open("wb") as handle:
        handle.truncate(10**11)  # a sparse file
    tracemalloc.start()
    try:
        assert f"at most {MAX_TEXT_BYTES} bytes" in str(refusal(read_session, file))
        assert "a device" in str(refusal(read_session, Path("/dev/zero")))
        assert tracemalloc.get_traced_memory()[1] < 20 * MAX_TEXT_BYTES
    finally:
        tracemalloc.stop()


def word_of(packed: bytes, check: str = "") -> str:
    body = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return f"{SHORT_TEXT_PREFIX}{body}:{check or hashlib.sha256(packed).hexdigest()[:8]}"


def test_compression_bombs_are_rejected() -> None:
    bomb = zlib.compress(b" " * 100_000_000, 9)
    assert len(bomb) < 100_000
    tracemalloc.start()
    try:
        assert f"at most {MAX_TEXT_BYTES} bytes" in str(refusal(from_short_text, word_of(bomb)))
        assert tracemalloc.get_traced_memory()[1] < 20 * MAX_TEXT_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("", "nothing"),
        ("good morning", "another text"),
        ("quatviz2:abc:12345678", "a newer version needs a newer quatviz"),
        ("quatviz1:", "checksum"),
        ("quatviz1:a*c:12345678", "other characters"),
        ("quatviz1:abcde:12345678", "other characters"),
        ("quatviz1:äöü:12345678", "other characters"),
        (word_of(b"no zlib at all"), "another encoding"),
        (word_of(zlib.compress(b"\xff\xfe" * 100)), "not UTF-8"),
        (word_of(zlib.compress(b"format = 1" * 100)[:-8]), "an incomplete text"),
        (word_of(zlib.compress(b"hello")), "TOML text"),
        (word_of(zlib.compress(b"x"), "00000000"), "another checksum"),
    ],
)
def test_invalid_short_codes_are_rejected(word: str, message: str) -> None:
    assert message in str(refusal(from_short_text, word))


def test_every_missing_character_is_noticed() -> None:
    word = to_short_text(SESSION)
    for index in range(len(SHORT_TEXT_PREFIX), len(word), 7):
        refusal(from_short_text, word[:index] + word[index + 1 :])


PIECES = [
    *(
        "[",
        "]",
        "{",
        "}",
        "=",
        '"',
        "'",
        '"""',
        "\n",
        ",",
        ".",
        "#",
        "\\",
        "\0",
        "\x7f",
        "é",
        "\ud7ff",
        "\U0001f300",
    ),
    *(
        "1e999",
        "-1",
        "nan",
        "inf",
        "0x7fffffffffffffff",
        "1_0",
        "true",
        "[[events]]",
        "[events.body]",
        "[look]",
    ),
    *(
        "[[events.loads]]",
        "2024-01-01",
        '"kick"',
        "kind",
        "at",
        "0.005",
        "[[[1]]]",
        "{a=1}",
        "[]",
        "session = 2\n",
    ),
    *("1e-320", "1e308", "9" * 400, "format = 1\n", "99999999999999999999", "euler_parameters", "body"),
]


def mutated(text: str, chance: random.Random) -> str:
    """Return a text with a few random insertions, deletions, duplications and exchanges."""
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        at = chance.randrange(len(text) + 1)
        length = chance.choice((0, 1, 1, 3, 10, 40))
        choice = chance.randrange(5)
        if choice == 0:
            text = text[:at] + chance.choice(PIECES) + text[at + length :]
        elif choice == 1:
            text = text[:at] + text[at + length :]
        elif choice == 2:
            lines = text.split("\n")
            line = chance.randrange(len(lines))
            lines.insert(
                chance.randrange(len(lines)), lines[line] if chance.random() < 0.5 else lines.pop(line)
            )
            text = "\n".join(lines)
        elif choice == 3:
            lines = text.split("\n")
            line = chance.randrange(len(lines))
            key, equals, _ = lines[line].partition("=")
            lines[line] = key + equals + chance.choice(PIECES)
            text = "\n".join(lines)
        else:
            start = chance.randrange(len(text) + 1)
            text = text[:at] + text[start : start + length] + text[at:]
    return text


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_mutated_texts_are_read_or_rejected(seed: int) -> None:
    chance = random.Random(seed)
    texts = [format_session(SESSION), format_preset(qv.load_preset("ring_damper")), nested(3, "[", "]")]
    texts.append(
        (Path(__file__).parents[2] / "support" / "session_of_the_first_version.toml").read_text("utf-8")
    )
    short = format_session(Session(replace(SESSION.preset, summary="", watch="", source=""), LOOK))
    texts += [short] * 5
    slowest, read = 0.0, 0
    for _ in range(3000):
        text = mutated(chance.choice(texts), chance)
        started = time.process_time()
        try:
            session = parse_session(text)
            read += 1
            assert parse_session(format_session(session)) == session, text
        except InputError:
            pass
        except Exception as fault:
            raise AssertionError(f"{fault!r} of\n{text}") from fault
        slowest = max(slowest, time.process_time() - started)
    assert slowest < SECOND
    assert read > 100, "mutations that are all rejected would test only the first lines of the reader"


@pytest.mark.parametrize("seed", range(2))
def test_mutated_short_codes_are_read_or_rejected(seed: int) -> None:
    chance = random.Random(seed)
    word = to_short_text(SESSION)
    letters = "abcABC019-_:=+/ \n"
    for _ in range(5000):
        at, length = chance.randrange(len(word)), chance.randrange(8)
        put = "".join(chance.choice(letters) for _ in range(chance.randrange(8)))
        damaged = word[:at] + put + word[at + length :]
        try:
            assert from_short_text(damaged) == SESSION
        except InputError:
            continue
    packed = zlib.compress(format_session(SESSION).encode())
    for _ in range(3000):
        bits = bytearray(packed)
        bits[chance.randrange(len(bits))] ^= 1 << chance.randrange(8)
        try:
            from_short_text(word_of(bytes(bits)))
        except InputError:
            continue
