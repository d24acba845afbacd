"""What the columns of a file probably are, by their names, units and numbers. A proposal: a person sees it, and may know better."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.observables.read_options import TIME_UNITS
from quatviz.recordings.columns import split_unit

_CHECKED_ROWS = 20_000
"""Rows by whose numbers it is judged."""


class ColumnName(NamedTuple):
    """A column's name in pieces: whole, without its unit; unit; the stem in lower case; what tells components apart."""

    full: str
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
LINEAR_ACCELERATION = re.compile(r"lin", re.IGNORECASE)
"""What tells of an acceleration that it is without gravity."""
_RATE_UNITS = re.compile(r"(rad|deg|°|degrees?|radians?) ?(/ ?s(ec)?|s\^?-1|s⁻¹)|dps")
_GRAVITY_UNITS = re.compile(r"m ?/ ?s(\^?2|²)|m ?s(\^?-2|⁻²)|g")
"""Units that tell what a column is, whatever it is called, in whatever language."""
_MATRIX = re.compile(r"dcm|matrix|rot|^r$|^a$|^c$|^m$|(^|[ _.:])(r|dcm|c|a|m)$")
_VECTOR = re.compile(r"rot\w*[ _.]*vec|rotvec|^rv$|(^|[ _.:])(rv|rotvec|phi)$")
_ANGLES = re.compile(r"euler|ang|(^|[ _.:])(theta|eul)$")
_TIME = re.compile(
    r"^(t|times?|timestamps?|stamp|secs?|seconds?|zeit|temps|tempo|epoch|date|datetime|utc|clock|elapsed|sampletimefine)"
    r"([ _.](ns|us|ms|s|sec|min))?$"
)
_TIME_IN = re.compile(r"time|stamp|zeit|epoch|seconds")
_ANGLE_NAMES = {
    "321": (("yaw", "pitch", "roll"), ("heading", "pitch", "roll"), ("azimuth", "pitch", "roll"),
            ("heading", "pitch", "bank"), ("psi", "theta", "phi")),
    "313": (("precession", "nutation", "spin"),),
}  # fmt: skip
"""Names of angles in the order of the rotations, by sequence."""


def parse_name(full: str) -> ColumnName:
    """The pieces of a column's name.

    >>> parse_name("Gyroscope x (rad/s)")[1:], parse_name("hamilton:omega_2")[3:], parse_name("q[0]")[3:]
    (('gyroscope x', 'rad/s', 'gyroscope', 'x'), ('hamilton:omega', '2'), ('q', '0'))
    """
    bare, unit = split_unit(full)
    plain = "".join(_GREEK.get(letter, letter) for letter in bare).lower().strip()
    for suffix in ("_deg", "_rad", " deg", " rad"):
        if plain.endswith(suffix) and not unit:
            plain, unit = plain.removesuffix(suffix), suffix[1:]
    match = _INDEX.match(plain)
    if match is None:
        return ColumnName(full, plain, unit, plain, "")
    return ColumnName(full, plain, unit, match[1].strip(" _.:-["), re.sub(r"[^0-9a-z]", "", match[2].lower()))


def detect_columns(columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Fields of `physics.observables.read_options.ReadOptions` for the columns of a file; of what is not found there is none."""
    names = [parse_name(name) for name in columns]
    detected = _detect_time(names, columns)
    other_names = [name for name in names if name.full != detected.get("time")]
    groups: dict[str, dict[str, ColumnName]] = {}
    for name in other_names:
        # One letter twice is of two things, as in "X (rad/s)" and "X (m/s²)".
        is_repeated = name.mark in groups.get(name.stem, {})
        stem = f"{name.stem} ({name.unit})" if is_repeated and name.unit else name.stem
        groups.setdefault(stem, {}).setdefault(name.mark, name)
    attitude = (
        _detect_quaternion(groups, columns)
        or _detect_matrix(groups)
        or _detect_angles(other_names, groups, columns)
        or _detect_rotation_vector(groups, columns)
    )
    detected |= attitude or {"attitude": "none"}
    taken = set(detected.get("attitude_columns", ()))
    detected |= _detect_rates(groups, columns, taken)
    return detected | _detect_gravity(groups)


def is_scalar_lettered(detected: Mapping[str, Any]) -> bool:
    """Whether it is a letter that tells the scalar of a proposed quaternion, and not its place."""
    columns = detected.get("attitude_columns", ())
    if detected.get("attitude") != "quaternion":
        return False
    return parse_name(columns[0 if detected["order"] == "scalar_first" else -1]).mark.isalpha()


def _detect_time(names: Sequence[ColumnName], columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """The column of the times, and their unit: by names, else the first column if it rises."""
    known = [name for name in names if _TIME.match(name.bare) or _TIME.match(name.stem)]
    known = known or [name for name in names if _TIME_IN.search(name.bare)]
    first = next(iter(names), None)
    if not known and first is not None:
        sample = columns[first.full][:_CHECKED_ROWS]
        if np.isfinite(sample).all() and len(sample) > 1 and (np.diff(sample) > 0.0).all():
            known = [first]
    if not known:
        return {}
    chosen = known[0]
    return {"time": chosen.full, "time_unit": _time_unit(chosen, columns[chosen.full][:_CHECKED_ROWS])}


def _time_unit(name: ColumnName, sample: np.ndarray) -> str:
    """The unit that stands there; else, by a step that is no step in seconds, a finer one."""
    unit = name.unit.lower().replace("µ", "u").replace("sec", "s").rstrip(".")
    for candidate in (unit, *re.findall(r"[_ ](ns|us|ms|s|min|h)$", name.bare)):
        candidate = {
            "seconds": "s",
            "sonds": "s",
            "onds": "s",
            "millis": "ms",
            "nanos": "ns",
            "micros": "us",
        }.get(candidate, candidate)
        if candidate in TIME_UNITS:
            return candidate
    steps = np.diff(sample[np.isfinite(sample)])
    typical_step = float(np.median(steps[steps > 0.0])) if (steps > 0.0).any() else 0.0
    is_integer = bool(len(sample)) and bool((sample == np.round(sample)).all())
    if is_integer and typical_step >= 1e5:
        return "ns" if typical_step >= 1e6 or float(_magnitudes(sample).max()) > 1e17 else "us"
    if is_integer and typical_step >= 500.0:
        return "us"
    return "ms" if is_integer and typical_step >= 2.0 else "s"


def _detect_quaternion(
    groups: Mapping[str, Mapping[str, ColumnName]], columns: Mapping[str, np.ndarray]
) -> dict[str, Any] | None:
    """Four columns of one name, of length 1."""
    sets = (
        ("wxyz", "scalar_first"), ("sxyz", "scalar_first"), ("0123", "scalar_first"), ("wijk", "scalar_first"),
        ("sijk", "scalar_first"), ("abcd", "scalar_first"),
    )  # fmt: skip
    candidates: list[tuple[float, dict[str, Any]]] = []
    for stem, group in groups.items():
        for letters, order in sets:
            if set(letters) <= set(group):
                chosen = [group[letter].full for letter in letters]
                candidates.append(_score_quaternion(stem, chosen, order, columns))
        if {"1", "2", "3", "4"} <= set(group) and "0" not in group:
            candidates.append(
                _score_quaternion(stem, [group[n].full for n in "1234"], "scalar_last", columns)
            )
        if {"1", "2", "3", "c"} <= set(group):
            candidates.append(
                _score_quaternion(stem, [group[n].full for n in "123c"], "scalar_last", columns)
            )
        if {"x", "y", "z"} <= set(group) and f"{stem}" in groups and "scalar" in group:
            candidates.append(
                _score_quaternion(
                    stem, [group[n].full for n in ("scalar", "x", "y", "z")], "scalar_first", columns
                )
            )
    likely_candidates = [candidate for candidate in candidates if candidate[0] > 0.0]
    return max(likely_candidates, key=lambda candidate: candidate[0])[1] if likely_candidates else None


def _score_quaternion(
    stem: str, chosen: list[str], order: str, columns: Mapping[str, np.ndarray]
) -> tuple[float, dict[str, Any]]:
    """How much speaks for it: its name, and how many of its rows have a length near that of the others, which is near 1."""
    rows = np.stack([columns[name][:_CHECKED_ROWS] for name in chosen], axis=1)
    lengths = np.linalg.norm(rows[np.isfinite(rows).all(axis=1)], axis=1)
    typical_length = float(np.median(lengths)) if len(lengths) else 0.0
    share = float((np.abs(lengths - typical_length) < 0.1 * typical_length).mean()) if typical_length else 0.0
    is_likely = share > 0.5 and 0.5 < typical_length < 2.0
    score = (share + 2.0 * bool(_QUATERNION.search(stem))) * is_likely
    return score, {"attitude": "quaternion", "attitude_columns": tuple(chosen), "order": order}


def _detect_matrix(groups: Mapping[str, Mapping[str, ColumnName]]) -> dict[str, Any] | None:
    """Nine columns of one name, counted by rows."""
    counts = [[f"{i}{j}" for i in "123" for j in "123"], [f"{i}{j}" for i in "012" for j in "012"]]
    counts += [[f"{i}{j}" for i in "xyz" for j in "xyz"], list("123456789"), list("012345678")]
    for stem, group in groups.items():
        for indices in counts:
            if set(indices) <= set(group) and (_MATRIX.search(stem) or not stem):
                chosen = tuple(group[index].full for index in indices)
                return {"attitude": "matrix", "attitude_columns": chosen}
    return None


def _detect_angles(
    names: Sequence[ColumnName],
    groups: Mapping[str, Mapping[str, ColumnName]],
    columns: Mapping[str, np.ndarray],
) -> dict[str, Any] | None:
    """Roll, pitch and yaw, or three columns that a sequence is written behind."""
    for sequence, sets in _ANGLE_NAMES.items():
        for words in sets:
            chosen = [_find_named(names, word) for word in words]
            if all(chosen):
                angle_names = [name for name in chosen if name is not None]
                return _angle_options(angle_names, sequence, columns)
    for stem, group in groups.items():
        sequence_match = re.search(r"(?<!\d)([123]{3})$|\b([xyz]{3})$", stem)
        for indices in ("123", "012", "abc"):
            if set(indices) <= set(group) and _ANGLES.search(stem) and not _RATE.search(stem):
                sequence = (
                    "321"
                    if sequence_match is None
                    else (sequence_match[1] or sequence_match[2].translate(str.maketrans("xyz", "123")))
                )
                return _angle_options([group[index] for index in indices], sequence, columns)
    return None


def _find_named(names: Sequence[ColumnName], word: str) -> ColumnName | None:
    matches = [name for name in names if re.search(rf"(^|[ _.:]){word}($|[ _.:])", name.bare)]
    return next((name for name in matches if not re.search(r"rate|dot|vel|/s", name.bare + name.unit)), None)


def _angle_options(
    chosen: Sequence[ColumnName], sequence: str, columns: Mapping[str, np.ndarray]
) -> dict[str, Any]:
    names = tuple(name.full for name in chosen)
    return {
        "attitude": "angles", "attitude_columns": names, "sequence": sequence, "angle_unit": _angle_unit(chosen, columns),
    }  # fmt: skip


def _angle_unit(chosen: Sequence[ColumnName], columns: Mapping[str, np.ndarray]) -> str:
    """What stands there; else degrees where a value is beyond a turn in radians."""
    for name in chosen:
        if re.search(r"deg|°", name.unit):
            return "deg"
        if "rad" in name.unit:
            return "rad"
    largest = max((float(_magnitudes(columns[name.full]).max()) for name in chosen), default=0.0)
    return "deg" if largest > 2.0 * np.pi + 0.01 else "rad"


def _detect_rotation_vector(
    groups: Mapping[str, Mapping[str, ColumnName]], columns: Mapping[str, np.ndarray]
) -> dict[str, Any] | None:
    for stem, group in groups.items():
        for indices in ("xyz", "123", "012"):
            if set(indices) <= set(group) and _VECTOR.search(stem):
                chosen = [group[index] for index in indices]
                return {
                    "attitude": "rotation_vector", "attitude_columns": tuple(name.full for name in chosen),
                    "angle_unit": _angle_unit(chosen, columns),
                }  # fmt: skip
    return None


def _detect_rates(
    groups: Mapping[str, Mapping[str, ColumnName]], columns: Mapping[str, np.ndarray], taken: set[str]
) -> dict[str, Any]:
    """Three columns that are called an angular velocity; in space where their name says so."""
    candidates: list[tuple[tuple[bool, bool], dict[str, Any]]] = []
    for stem, group in groups.items():
        for indices in ("xyz", "123", "012", "wijk"[1:]):
            if not set(indices) <= set(group) or _GRAVITY.search(stem.split(":")[-1]):
                continue
            chosen = [group[index] for index in indices]
            has_rate_name = bool(_RATE.search(stem))
            if not has_rate_name and not _have_unit(chosen, _RATE_UNITS):
                continue
            if taken & {name.full for name in chosen}:
                continue
            is_in_space = re.search(r"space|world|inertial|global|earth|nav|(^|[ _.])(i|n)$", stem) or (
                indices == "xyz" and stem.rpartition(":")[2] == "omega" and ":" in stem
            )
            detected = {
                "rate_columns": tuple(name.full for name in chosen), "rate_axes": "space" if is_in_space else "body",
                "rate_unit": _rate_unit(chosen, columns),
            }  # fmt: skip
            candidates.append(((not has_rate_name, bool(is_in_space)), detected))
    if not candidates and {"p", "q", "r"} <= {
        name.bare for group in groups.values() for name in group.values()
    }:
        bare = {name.bare: name for group in groups.values() for name in group.values()}
        chosen = [bare[letter] for letter in "pqr"]
        detected = {
            "rate_columns": tuple(column.full for column in chosen),
            "rate_axes": "body",
            "rate_unit": _rate_unit(chosen, columns),
        }
        candidates.append(((False, False), detected))
    return min(candidates, key=lambda column: column[0])[1] if candidates else {}


def _rate_unit(chosen: Sequence[ColumnName], columns: Mapping[str, np.ndarray]) -> str:
    """What stands there; else degrees where nobody turns as quickly in radians."""
    for name in chosen:
        if re.search(r"deg|°|dps", name.unit):
            return "deg/s"
        if "rad" in name.unit:
            return "rad/s"
    typical_rate = max((float(np.median(_magnitudes(columns[name.full]))) for name in chosen), default=0.0)
    return "deg/s" if typical_rate > 50.0 else "rad/s"


def _have_unit(chosen: Sequence[ColumnName], unit: re.Pattern[str]) -> bool:
    return all(unit.fullmatch(name.unit.strip().lower()) for name in chosen)


def _magnitudes(values: np.ndarray) -> np.ndarray:
    """Magnitudes of the first numbers of a column, and 0 where there are none."""
    sample = values[:_CHECKED_ROWS]
    return np.append(np.abs(sample[np.isfinite(sample)]), 0.0)


def _detect_gravity(groups: Mapping[str, Mapping[str, ColumnName]]) -> dict[str, Any]:
    """An accelerometer that feels gravity: with it a recording of rates alone has a start."""
    triples = [
        [group[index] for index in "xyz"]
        for stem, group in groups.items()
        if set("xyz") <= set(group) and not LINEAR_ACCELERATION.search(stem) and not _RATE.search(stem)
    ]
    named = [chosen for chosen in triples if _GRAVITY.search(chosen[0].stem)]
    likely = named or [chosen for chosen in triples if _have_unit(chosen, _GRAVITY_UNITS)]
    return {"gravity_columns": tuple(name.full for name in likely[0])} if likely else {}
