"""Invalid inputs made from valid ones: texts with changed tokens and lines, files with changed bytes and numbers."""

import io
import re
import struct
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np

MAX_BYTES = 300_000
"""Largest size of an input [bytes]. Readers refuse texts above 200,000 bytes."""

NUMBERS = (
    *("0", "-0.0", "1", "-1", "2", "7", "1e-3", "1e-12", "1e-300", "5e-324", "1e154", "1e160", "1e300", "1.7e308", "1e999"),
    *("inf", "-inf", "nan", "2147483648", "-9223372036854775808", "18446744073709551616", "9" * 400, "0x10", "1_0", "1,5"),
)  # fmt: skip
TEXTS = (
    *('""', '"../../etc/passwd"', '"/dev/zero"', '"x.stl"', '"<img src=/dev/zero>"', '"\\u0000"', '"\\u001b[31m"', '"\\U0010ffff"'),
    *('"=HYPERLINK(1)"', "'$x^$'", '"2*sin(3*t)"', '"((((((((((((1))))))))))))"', '"t**t**t**t"', '"313"'),
    *('"hamilton"', '"📐"', "true"),
)  # fmt: skip
VALUES = (
    *("[]", "{}", "[[]]", "[[[], []]]", "[1, 2, 3]", "[1, 2]", "[1e300, 0, 0]", "[nan, 0, 0]", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"),
    *("1979-05-27", "07:32:00", "{ a = 1 }", '["a", 1]', "false"),
)  # fmt: skip
MARKS = (
    *("$", "$$", "`", "```", "**", "#", "## ", "|", "\\", "{", "}", "[", "]", "(", ")", "^", "_", "<", ">", "&", "=", ".", "\t"),
    *("\r", "\x00", "\x1b", "\x85", "\u2028", "\ufeff", "\ufdd0", "é", "ω", "\\frac", "\\left(", "\\sqrt", "\\tfrac12", "\\"),
    *("\\begin{pmatrix}", "\\end{pmatrix}", "\\raise9999em", "\\right)", "![x](x.svg)"),
    *("![x](/dev/zero)", "![x](formula:abc)", "<script>", "```scene\n", "```check\n", "[[lanes]]\n", "- " * 40, "> " * 40),
)  # fmt: skip
WORDS = (0, 1, 2, 3, 12, 255, 65_535, 100_000_000, 2**31 - 1, 2**31, 2**32 - 1)

_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
_QUOTED = re.compile(r'"[^"\n]*"')
_VALUE = re.compile(r"(?<== )[^\n]+")
_WORD = re.compile(r"[A-Za-z_]\w+")


def text_from(random: Random, seeds: Sequence[bytes]) -> bytes:
    """Return one of the `seeds`, which are UTF-8, with a few changes. Sometimes the result is no valid UTF-8."""
    text = random.choice(seeds).decode()
    for _ in range(random.choice((1, 1, 1, 2, 3, 5, 9))):
        text = random.choice(_CHANGES)(random, text, random.choice(seeds).decode())[:MAX_BYTES]
    data = text.encode("utf-8", "replace")
    return _change_bytes(random, data) if random.random() < 0.03 else data[:MAX_BYTES]


def binary_from(random: Random, seeds: Sequence[bytes]) -> bytes:
    """Return one of the `seeds` with some bytes changed. Compressed contents are changed before compression."""
    data = random.choice(seeds)
    if data[:4] == b"glTF" and random.random() < 0.7:
        return _change_glb(random, data)
    if data[:4] == b"\x89HDF" and random.random() < 0.7:
        return _change_hdf5(random, data)
    if data[:4] == b"PK\x03\x04" and random.random() < 0.7:
        return _change_zip(random, data)
    for _ in range(random.choice((1, 1, 2, 4))):
        data = _change_bytes(random, data)
    return data[:MAX_BYTES]


def _replace_with(pattern: re.Pattern[str], by: Sequence[str]) -> Callable[[Random, str, str], str]:
    """Return a change that replaces a random match of the pattern with one of the texts `by`."""

    def change(random: Random, text: str, other: str) -> str:
        match = list(pattern.finditer(text))
        if not match:
            return text
        start, end = random.choice(match).span()
        return text[:start] + random.choice(by) + text[end:]

    return change


def _swap_word(random: Random, text: str, other: str) -> str:
    """Replace a word with a word of another text."""
    return _replace_with(_WORD, _WORD.findall(other) or ["x"])(random, text, other)


def _change_lines(random: Random, text: str, other: str) -> str:
    lines, others = text.split("\n"), other.split("\n")
    at, to = random.randrange(len(lines)), random.randrange(len(lines) + 1)
    operation = random.randrange(4)
    if operation == 0:
        del lines[at : at + random.choice((1, 1, 3))]
    elif operation == 1:
        lines.insert(to, lines[at])
    elif operation == 2:
        lines[to:to] = others[(begin := random.randrange(len(others))) : begin + random.choice((1, 3, 10))]
    else:
        lines[at : at + 1] = [lines[at]] * random.choice((2, 3, 50, 2000))
    return "\n".join(lines)


def _insert_mark(random: Random, text: str, other: str) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(MARKS) * random.choice((1, 1, 1, 2, 12, 60, 5000)) + text[at:]


def _cut_text(random: Random, text: str, other: str) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] if random.random() < 0.5 else text[at:]


def _nest(random: Random, text: str, other: str) -> str:
    """Enclose a value in many brackets."""
    match = list(_VALUE.finditer(text))
    if not match:
        return text
    start, end = random.choice(match).span()
    deep, (opening, closing) = random.choice((2, 12, 500, 20_000)), random.choice(("[]", "()", "{}"))
    return text[:start] + opening * deep + text[start:end] + closing * deep + text[end:]


_CHANGES: tuple[Callable[[Random, str, str], str], ...] = (
    *(
        _replace_with(_NUMBER, NUMBERS),
        _replace_with(_QUOTED, TEXTS),
        _replace_with(_VALUE, (*VALUES, *NUMBERS, *TEXTS)),
    ),
    *(_swap_word, _change_lines, _change_lines, _insert_mark, _cut_text, _nest),
)


def _change_bytes(random: Random, data: bytes) -> bytes:
    changed = bytearray(data or b"\0")
    at = random.randrange(len(changed))
    operation = random.randrange(6)
    if operation == 0:
        changed[at] ^= 1 << random.randrange(8)
    elif operation == 1:
        changed[at : at + 4] = struct.pack("<I", random.choice(WORDS))
    elif operation == 2:
        changed[at : at + 8] = struct.pack(
            "<d", random.choice((0.0, -1.0, 1e300, float("inf"), float("nan")))
        )
    elif operation == 3:
        del changed[at : at + random.choice((1, 4, 100, len(changed)))]
    elif operation == 4:
        changed[at:at] = changed[at : at + random.choice((1, 4, 100))] * random.choice((1, 2, 500))
    else:
        changed[at:at] = random.randbytes(random.choice((1, 4, 64)))
    return bytes(changed)


def _change_glb(random: Random, data: bytes) -> bytes:
    """Change the JSON part of a GLB file and correct the lengths in its header."""
    length = struct.unpack_from("<I", data, 12)[0]
    head, payload = data[20 : 20 + length].rstrip(), data[20 + length :]
    head = text_from(random, [head])
    head += b" " * (-len(head) % 4)
    size = 20 + len(head) + len(payload)
    return data[:8] + struct.pack("<III", size, len(head), 0x4E4F534A) + head + payload


def _change_zip(random: Random, data: bytes) -> bytes:
    """Change a member of a ZIP archive and write the archive with valid checksums."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        names = old.namelist()
        chosen = random.choice(names)
        for name in names:
            member = old.read(name)
            new.writestr(
                name, _change_bytes(random, member[:200]) + member[200:] if name == chosen else member
            )
    return buffer.getvalue()


SPECIAL_NUMBERS = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    1e-300,
    5e-324,
    1e160,
    1e200,
    1.7e308,
    float("inf"),
    float("-inf"),
    float("nan"),
)
NAMES = (
    *("t", "time", "p", "omega", "q_w", "angles_313", "newton_euler:p", "hamilton:omega", "exact:p", ":", "a:b:c", ":p", "t:t"),
    *("", ".", "t/x", "é", "😀", "a" * 5000, "<img src=/dev/zero>", "=1", "\x1b[31m", "1", "acc_x", "R"),
)  # fmt: skip
_HDF5_ERRORS = (ValueError, TypeError, RuntimeError, OSError, LookupError, MemoryError, Warning)
DTYPES = ("<f8", ">f8", "<f4", "<f2", "i1", "<i8", "<u8", "?", "S3", "<c16", "V4", "<f8,<f8")


def _change_hdf5(random: Random, data: bytes) -> bytes:
    """Change arrays, names, types, shapes and links with h5py, so that the file remains a valid HDF5 file."""
    import h5py

    buffer = io.BytesIO(data)
    with h5py.File(buffer, "r+") as file, np.errstate(all="ignore"):
        for _ in range(random.choice((1, 1, 2, 4))):
            names = _arrays_in(file)
            if names:
                with suppress(*_HDF5_ERRORS):
                    random.choice(_HDF5_CHANGES)(random, file, random.choice(names))
    return buffer.getvalue()[:MAX_BYTES]


def _arrays_in(file: Any) -> list[str]:
    import h5py

    arrays: list[Any] = []
    file.visititems(lambda _, item: arrays.append(item) if isinstance(item, h5py.Dataset) else None)
    return [array.name for array in arrays if array.size is not None and array.size < MAX_BYTES]


def _change_values(random: Random, file: Any, name: str) -> None:
    values = file[name][()]
    at: tuple[Any, ...] = tuple(
        slice(random.randrange(n + 1), None, random.choice((1, 1, 7))) for n in values.shape
    )
    if random.random() < 0.5:
        at = tuple(random.randrange(n) for n in values.shape)
    with suppress(OverflowError):  # integer arrays cannot store some of the special numbers
        values[at] = random.choice(
            (random.choice(SPECIAL_NUMBERS), random.random(), values.flat[-1], values.flat[0])
        )
    file[name][...] = values


def _transform_values(random: Random, file: Any, name: str) -> None:
    values = file[name][()]
    variants = (
        -values,
        values[::-1],
        values * random.choice(SPECIAL_NUMBERS),
        values * 1e9,
        values * 0 + values[0],
    )
    file[name][...] = random.choice(variants)


def _change_dtype(random: Random, file: Any, name: str) -> None:
    values = file[name][()].astype(random.choice(DTYPES))
    del file[name]
    file[name] = values


def _change_shape(random: Random, file: Any, name: str) -> None:
    values = file[name][()]
    others = (
        values.T,
        values[:-1],
        values[:1],
        values[:0],
        values[:2],
        values.ravel(),
        values[None],
        values[..., None],
        values[0],
    )
    shape = (
        *others,
        values.repeat(2, axis=-1),
        values[:, :1] if values.ndim > 1 else values,
        values.reshape(-1, 1),
    )
    del file[name]
    file[name] = random.choice(shape)


def _claim_size(random: Random, file: Any, name: str) -> None:
    """Replace an array with one that claims a huge shape but stores no values."""
    shape = random.choice(((10**12,), (2**40, 4), (10**7, 4), (0, 4), (3, 0), (2**62,), (1,) * 30))
    del file[name]
    file.create_dataset(name, shape, random.choice(DTYPES[:5]), chunks=tuple(min(n, 64) or 1 for n in shape))


def _rename_array(random: Random, file: Any, name: str) -> None:
    file.move(name, random.choice(NAMES))


def _link_array(random: Random, file: Any, name: str) -> None:
    import h5py

    link_type, link_name = random.randrange(6), random.choice(NAMES)
    if link_type == 0:
        file[link_name] = h5py.SoftLink(random.choice((f"/{name}", "/", link_name, "nothing")))
    elif link_type == 1:
        file[link_name] = h5py.ExternalLink(random.choice(("/etc/passwd", "/dev/zero", "none.h5")), "/t")
    elif link_type == 2:
        file[link_name] = file["/"]
    elif link_type == 3:
        file[link_name] = file[name]
    elif link_type == 4:
        file.create_dataset(link_name, (8,), "f8", external=[("/dev/zero", 0, 64)])
    else:
        layout = h5py.VirtualLayout((4,), "f8")
        layout[:] = h5py.VirtualSource("/dev/zero", "t", (4,))
        file.create_virtual_dataset(link_name, layout)


def _delete_array(random: Random, file: Any, name: str) -> None:
    del file[name]


def _change_attribute(random: Random, file: Any, name: str) -> None:
    """Change an attribute of the file or of an array."""
    where = random.choice((file, file[name]))
    name = random.choice((*where.attrs, "preset", "unit", "lane", "format"))
    where.attrs[name] = random.choice((*TEXTS, 7, 1e999, b"\xff", [1, 2]))


_HDF5_CHANGES: tuple[Callable[[Random, Any, str], None], ...] = (
    *(
        _change_values,
        _change_values,
        _transform_values,
        _change_dtype,
        _change_shape,
        _change_shape,
        _claim_size,
    ),
    *(_rename_array, _rename_array, _link_array, _delete_array, _change_attribute),
)
