"""What the columns of a file probably are, by their names, units and numbers. A proposal: a person sees it, and may know better."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.observables.read_options import TIME_UNITS
from quatviz.recordings.columns import split_unit

_LOOKED_AT = 20_000
"""Rows by whose numbers it is judged."""


class Name(NamedTuple):
    """A column's name in pieces: whole, without its unit; unit; the stem in lower case; what tells components apart."""

    whole: str
    bare: str
    unit: str
    stem: str
    mark: str


_INDEX = re.compile(
    r"^(.*?)[\s_.:\-\[(]*((?:[0-9]{1,2}|[wxyzsijkabc]|scalar)|(?<![0-9])[0-9][\]\[,_ ]+[0-9])[\])]*$",
    re.IGNORECASE,
)
_GREEK = {
    "ω": "omega",
    "φ": "phi",
    "θ": "theta",
    "ϑ": "theta",
    "ψ": "psi",
    "ϕ": "phi",
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
}

_RATE = re.compile(
    r"omega|gyr|ang\w*[ _.]*(vel|rate)|body ?rate|rotation ?rate|turn ?rate|^rates?$|^w$|^ar$|^om$|(^|[ _.:])(w|rate|pqr|om)$"
)
_QUATERNION = re.compile(
    r"quat|orient|attitude|rotation|^q$|^e$|^p$|^ep$|^b$|^eps$|euler ?par|(^|[ _.:])(q|p|e|ep|quat)$|^$"
)
_GRAVITY = re.compile(r"acc|gfx|gravity|(^|[ _.:])(a|g)$")
LINEAR = re.compile(r"lin", re.IGNORECASE)
"""What tells of an acceleration that it is without gravity."""
_OF_RATES = re.compile(r"(rad|deg|°|degrees?|radians?) ?(/ ?s(ec)?|s\^?-1|s⁻¹)|dps")
_OF_GRAVITY = re.compile(r"m ?/ ?s(\^?2|²)|m ?s(\^?-2|⁻²)|g")
"""Units that tell what a column is, whatever it is called, in whatever language."""
_MATRIX = re.compile(r"dcm|matrix|rot|^r$|^a$|^c$|^m$|(^|[ _.:])(r|dcm|c|a|m)$")
_VECTOR = re.compile(r"rot\w*[ _.]*vec|rotvec|^rv$|(^|[ _.:])(rv|rotvec|phi)$")
_ANGLES = re.compile(r"euler|ang|(^|[ _.:])(theta|eul)$")
_TIME = re.compile(
    r"^(t|times?|timestamps?|stamp|secs?|seconds?|zeit|temps|tempo|epoch|date|datetime|utc|clock|elapsed|sampletimefine)"
    r"([ _.](ns|us|ms|s|sec|min))?$"
)
_TIME_IN = re.compile(r"time|stamp|zeit|epoch|seconds")
_NAMED = {
    "321": (("yaw", "pitch", "roll"), ("heading", "pitch", "roll"), ("azimuth", "pitch", "roll"),
            ("heading", "pitch", "bank"), ("psi", "theta", "phi")),
    "313": (("precession", "nutation", "spin"),),
}  # fmt: skip
"""Names of angles in the order of the rotations, by sequence."""


def name_of(whole: str) -> Name:
    """The pieces of a column's name.

    >>> name_of("Gyroscope x (rad/s)")[1:], name_of("hamilton:omega_2")[3:], name_of("q[0]")[3:]
    (('gyroscope x', 'rad/s', 'gyroscope', 'x'), ('hamilton:omega', '2'), ('q', '0'))
    """
    bare, unit = split_unit(whole)
    plain = "".join(_GREEK.get(letter, letter) for letter in bare).lower().strip()
    for told in ("_deg", "_rad", " deg", " rad"):
        if plain.endswith(told) and not unit:
            plain, unit = plain.removesuffix(told), told[1:]
    found = _INDEX.match(plain)
    if found is None:
        return Name(whole, plain, unit, plain, "")
    return Name(whole, plain, unit, found[1].strip(" _.:-["), re.sub(r"[^0-9a-z]", "", found[2].lower()))


def proposed(columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Fields of `motion.reading.Reading` for the columns of a file; of what is not found there is none."""
    names = [name_of(name) for name in columns]
    says = _time(names, columns)
    rest = [name for name in names if name.whole != says.get("time")]
    groups: dict[str, dict[str, Name]] = {}
    for name in rest:
        # One letter twice is of two things, as in "X (rad/s)" and "X (m/s²)".
        again = name.mark in groups.get(name.stem, {})
        stem = f"{name.stem} ({name.unit})" if again and name.unit else name.stem
        groups.setdefault(stem, {}).setdefault(name.mark, name)
    attitude = (
        _quaternion(groups, columns)
        or _matrix(groups)
        or _angles(rest, groups, columns)
        or _rotation_vector(groups, columns)
    )
    says |= attitude or {"attitude": "none"}
    taken = set(says.get("attitude_columns", ()))
    says |= _rates(groups, columns, taken)
    return says | _gravity(groups)


def is_lettered(says: Mapping[str, Any]) -> bool:
    """Whether it is a letter that tells the scalar of a proposed quaternion, and not its place."""
    columns = says.get("attitude_columns", ())
    if says.get("attitude") != "quaternion":
        return False
    return name_of(columns[0 if says["order"] == "scalar_first" else -1]).mark.isalpha()


def _time(names: Sequence[Name], columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """The column of the times, and their unit: by names, else the first column if it rises."""
    known = [name for name in names if _TIME.match(name.bare) or _TIME.match(name.stem)]
    known = known or [name for name in names if _TIME_IN.search(name.bare)]
    first = next(iter(names), None)
    if not known and first is not None:
        sample = columns[first.whole][:_LOOKED_AT]
        if np.isfinite(sample).all() and len(sample) > 1 and (np.diff(sample) > 0.0).all():
            known = [first]
    if not known:
        return {}
    chosen = known[0]
    return {"time": chosen.whole, "time_unit": _time_unit(chosen, columns[chosen.whole][:_LOOKED_AT])}


def _time_unit(name: Name, sample: np.ndarray) -> str:
    """The unit that stands there; else, by a step that is no step in seconds, a finer one."""
    unit = name.unit.lower().replace("µ", "u").replace("sec", "s").rstrip(".")
    for told in (unit, *re.findall(r"[_ ](ns|us|ms|s|min|h)$", name.bare)):
        told = {"seconds": "s", "sonds": "s", "onds": "s", "millis": "ms", "nanos": "ns", "micros": "us"}.get(
            told, told
        )
        if told in TIME_UNITS:
            return told
    steps = np.diff(sample[np.isfinite(sample)])
    usual = float(np.median(steps[steps > 0.0])) if (steps > 0.0).any() else 0.0
    whole = bool(len(sample)) and bool((sample == np.round(sample)).all())
    if whole and usual >= 1e5:
        return "ns" if usual >= 1e6 or float(_sizes(sample).max()) > 1e17 else "us"
    if whole and usual >= 500.0:
        return "us"
    return "ms" if whole and usual >= 2.0 else "s"


def _quaternion(
    groups: Mapping[str, Mapping[str, Name]], columns: Mapping[str, np.ndarray]
) -> dict[str, Any] | None:
    """Four columns of one name, of length 1."""
    sets = (
        ("wxyz", "scalar_first"), ("sxyz", "scalar_first"), ("0123", "scalar_first"), ("wijk", "scalar_first"),
        ("sijk", "scalar_first"), ("abcd", "scalar_first"),
    )  # fmt: skip
    found: list[tuple[float, dict[str, Any]]] = []
    for stem, group in groups.items():
        for letters, order in sets:
            if set(letters) <= set(group):
                chosen = [group[letter].whole for letter in letters]
                found.append(_as_quaternion(stem, chosen, order, columns))
        if {"1", "2", "3", "4"} <= set(group) and "0" not in group:
            found.append(_as_quaternion(stem, [group[n].whole for n in "1234"], "scalar_last", columns))
        if {"1", "2", "3", "c"} <= set(group):
            found.append(_as_quaternion(stem, [group[n].whole for n in "123c"], "scalar_last", columns))
        if {"x", "y", "z"} <= set(group) and f"{stem}" in groups and "scalar" in group:
            found.append(
                _as_quaternion(
                    stem, [group[n].whole for n in ("scalar", "x", "y", "z")], "scalar_first", columns
                )
            )
    likely = [each for each in found if each[0] > 0.0]
    return max(likely, key=lambda each: each[0])[1] if likely else None


def _as_quaternion(
    stem: str, chosen: list[str], order: str, columns: Mapping[str, np.ndarray]
) -> tuple[float, dict[str, Any]]:
    """How much speaks for it: its name, and how many of its rows have a length near that of the others, which is near 1."""
    rows = np.stack([columns[name][:_LOOKED_AT] for name in chosen], axis=1)
    lengths = np.linalg.norm(rows[np.isfinite(rows).all(axis=1)], axis=1)
    usual = float(np.median(lengths)) if len(lengths) else 0.0
    share = float((np.abs(lengths - usual) < 0.1 * usual).mean()) if usual else 0.0
    likely = share > 0.5 and 0.5 < usual < 2.0
    score = (share + 2.0 * bool(_QUATERNION.search(stem))) * likely
    return score, {"attitude": "quaternion", "attitude_columns": tuple(chosen), "order": order}


def _matrix(groups: Mapping[str, Mapping[str, Name]]) -> dict[str, Any] | None:
    """Nine columns of one name, counted by rows."""
    counts = [[f"{i}{j}" for i in "123" for j in "123"], [f"{i}{j}" for i in "012" for j in "012"]]
    counts += [[f"{i}{j}" for i in "xyz" for j in "xyz"], list("123456789"), list("012345678")]
    for stem, group in groups.items():
        for indices in counts:
            if set(indices) <= set(group) and (_MATRIX.search(stem) or not stem):
                chosen = tuple(group[index].whole for index in indices)
                return {"attitude": "matrix", "attitude_columns": chosen}
    return None


def _angles(
    names: Sequence[Name], groups: Mapping[str, Mapping[str, Name]], columns: Mapping[str, np.ndarray]
) -> dict[str, Any] | None:
    """Roll, pitch and yaw, or three columns that a sequence is written behind."""
    for sequence, sets in _NAMED.items():
        for words in sets:
            chosen = [_worded(names, word) for word in words]
            if all(chosen):
                found = [each for each in chosen if each is not None]
                return _as_angles(found, sequence, columns)
    for stem, group in groups.items():
        told = re.search(r"(?<!\d)([123]{3})$|\b([xyz]{3})$", stem)
        for indices in ("123", "012", "abc"):
            if set(indices) <= set(group) and _ANGLES.search(stem) and not _RATE.search(stem):
                sequence = (
                    "321" if told is None else (told[1] or told[2].translate(str.maketrans("xyz", "123")))
                )
                return _as_angles([group[index] for index in indices], sequence, columns)
    return None


def _worded(names: Sequence[Name], word: str) -> Name | None:
    fit = [name for name in names if re.search(rf"(^|[ _.:]){word}($|[ _.:])", name.bare)]
    return next((name for name in fit if not re.search(r"rate|dot|vel|/s", name.bare + name.unit)), None)


def _as_angles(chosen: Sequence[Name], sequence: str, columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
    names = tuple(name.whole for name in chosen)
    return {
        "attitude": "angles", "attitude_columns": names, "sequence": sequence, "angle_unit": _angle_unit(chosen, columns),
    }  # fmt: skip


def _angle_unit(chosen: Sequence[Name], columns: Mapping[str, np.ndarray]) -> str:
    """What stands there; else degrees where a value is beyond a turn in radians."""
    for name in chosen:
        if re.search(r"deg|°", name.unit):
            return "deg"
        if "rad" in name.unit:
            return "rad"
    most = max((float(_sizes(columns[name.whole]).max()) for name in chosen), default=0.0)
    return "deg" if most > 2.0 * np.pi + 0.01 else "rad"


def _rotation_vector(
    groups: Mapping[str, Mapping[str, Name]], columns: Mapping[str, np.ndarray]
) -> dict[str, Any] | None:
    for stem, group in groups.items():
        for indices in ("xyz", "123", "012"):
            if set(indices) <= set(group) and _VECTOR.search(stem):
                chosen = [group[index] for index in indices]
                return {
                    "attitude": "rotation_vector", "attitude_columns": tuple(name.whole for name in chosen),
                    "angle_unit": _angle_unit(chosen, columns),
                }  # fmt: skip
    return None


def _rates(
    groups: Mapping[str, Mapping[str, Name]], columns: Mapping[str, np.ndarray], taken: set[str]
) -> dict[str, Any]:
    """Three columns that are called an angular velocity; in space where their name says so."""
    found: list[tuple[tuple[bool, bool], dict[str, Any]]] = []
    for stem, group in groups.items():
        for indices in ("xyz", "123", "012", "wijk"[1:]):
            if not set(indices) <= set(group) or _GRAVITY.search(stem.split(":")[-1]):
                continue
            chosen = [group[index] for index in indices]
            called = bool(_RATE.search(stem))
            if not called and not _are(chosen, _OF_RATES):
                continue
            if taken & {name.whole for name in chosen}:
                continue
            space = re.search(r"space|world|inertial|global|earth|nav|(^|[ _.])(i|n)$", stem) or (
                indices == "xyz" and stem.rpartition(":")[2] == "omega" and ":" in stem
            )
            says = {
                "rate_columns": tuple(name.whole for name in chosen), "rate_axes": "space" if space else "body",
                "rate_unit": _rate_unit(chosen, columns),
            }  # fmt: skip
            found.append(((not called, bool(space)), says))
    if not found and {"p", "q", "r"} <= {name.bare for group in groups.values() for name in group.values()}:
        bare = {name.bare: name for group in groups.values() for name in group.values()}
        chosen = [bare[letter] for letter in "pqr"]
        says = {
            "rate_columns": tuple(each.whole for each in chosen),
            "rate_axes": "body",
            "rate_unit": _rate_unit(chosen, columns),
        }
        found.append(((False, False), says))
    return min(found, key=lambda each: each[0])[1] if found else {}


def _rate_unit(chosen: Sequence[Name], columns: Mapping[str, np.ndarray]) -> str:
    """What stands there; else degrees where nobody turns as quickly in radians."""
    for name in chosen:
        if re.search(r"deg|°|dps", name.unit):
            return "deg/s"
        if "rad" in name.unit:
            return "rad/s"
    usual = max((float(np.median(_sizes(columns[name.whole]))) for name in chosen), default=0.0)
    return "deg/s" if usual > 50.0 else "rad/s"


def _are(chosen: Sequence[Name], unit: re.Pattern[str]) -> bool:
    return all(unit.fullmatch(name.unit.strip().lower()) for name in chosen)


def _sizes(values: np.ndarray) -> np.ndarray:
    """Magnitudes of the first numbers of a column, and 0 where there are none."""
    looked = values[:_LOOKED_AT]
    return np.append(np.abs(looked[np.isfinite(looked)]), 0.0)


def _gravity(groups: Mapping[str, Mapping[str, Name]]) -> dict[str, Any]:
    """An accelerometer that feels gravity: with it a recording of rates alone has a start."""
    fit = [
        [group[index] for index in "xyz"]
        for stem, group in groups.items()
        if set("xyz") <= set(group) and not LINEAR.search(stem) and not _RATE.search(stem)
    ]
    called = [chosen for chosen in fit if _GRAVITY.search(chosen[0].stem)]
    likely = called or [chosen for chosen in fit if _are(chosen, _OF_GRAVITY)]
    return {"gravity_columns": tuple(name.whole for name in likely[0])} if likely else {}
