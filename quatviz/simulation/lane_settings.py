"""What a lane sets beyond formulation, method and step, and which combinations make no sense."""

from collections.abc import Iterable
from pathlib import Path

from quatviz.base.errors import InputError, listed, phrase
from quatviz.files.preset import Lane, RunSettings
from quatviz.physics.formulations import FORMULATIONS, kind_of
from quatviz.physics.formulations.base import Formulation, Settings
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators.base import Integrator, Tolerances
from quatviz.physics.kernels import blocks
from quatviz.physics.mechanics.stabilisation import stabilisation_called

BAUMGARTE_RATE = 10.0
"""Baumgarte's alpha and beta [1/s] where a lane names none: an error of |p| dies out in half a second."""

PROJECTIONS = {
    "none": blocks.PROJECT_NOTHING,
    "renormalise": blocks.PROJECT_P,
    "project": blocks.PROJECT_RATES,
    "baumgarte": blocks.PROJECT_NOTHING,
}
"""Every stabilisation, and what the loop over steps does for it."""


def settings_of(spec: Lane) -> Settings:
    """What the lane sets in the equations themselves."""
    rate = BAUMGARTE_RATE if spec.stabilisation == "baumgarte" else 0.0
    return Settings(
        J0=spec.J0,
        alpha=rate if spec.alpha is None else spec.alpha,
        beta=rate if spec.beta is None else spec.beta,
        file=None if spec.file is None else Path(spec.file),
        recording=spec.recording,
    )


def tolerances_of(spec: Lane, run: RunSettings, method: type[Integrator]) -> Tolerances | None:
    """What an adaptive method keeps to in a lane: the lane's own, else the run's, else the method's; None for other methods.

    An absolute one that is given nowhere is as large as the relative one, so that one number says how exact a run is.
    """
    if method.usual_tolerances is None:
        return None
    relative, absolute = (
        getattr(run, key) if getattr(spec, key) is None else getattr(spec, key) for key in ("rtol", "atol")
    )
    if relative is None:
        usual, _ = method.usual_tolerances
        return Tolerances(usual, usual if absolute is None else absolute)
    return Tolerances(relative, relative if absolute is None else absolute)


def takes_tolerances(integrator: str) -> bool:
    """Whether a lane with this integrator can say how exact its steps are."""
    method = INTEGRATORS.get(integrator)
    return method is not None and method.usual_tolerances is not None


def refuse_idle_tolerances(run: RunSettings, lanes: Iterable[Integrator]) -> None:
    """Refuse tolerances of a run whose own integrator, and that of every lane, takes none."""
    if any(map(takes_tolerances, (run.integrator, *(each.name for each in lanes)))):
        return
    for name in ("rtol", "atol"):
        if getattr(run, name) is not None:
            raise _no_tolerance(f"run.{name}", name, run.integrator, getattr(run, name))


def _no_tolerance(key: str, name: str, integrator: str, value: float) -> InputError:
    having = [method.called() for method in INTEGRATORS.values() if method.usual_tolerances is not None]
    return _refusal(
        key,
        phrase(
            "no {key} for {integrator}, whose steps are all as long as dt says",
            key=name,
            integrator=INTEGRATORS[integrator].called(),
        ),
        f"{value:g}",
        phrase("remove the key, or choose {names}", names=listed(having, "or")),
    )


def validate_lane(spec: Lane, formulation: Formulation, integrator: Integrator, key: str) -> None:
    """Refuse settings that this formulation or integrator has no use for: ignoring them would mislead."""
    if spec.J0 is not None and not formulation.free_inertia:
        having = [family().called for family in FORMULATIONS.values() if family.free_inertia]
        raise _refusal(
            f"{key}.J0",
            phrase("no J0 for {name}, which has no free moment of inertia", name=formulation.called),
            f"{spec.J0:g}",
            phrase("remove the key, or choose {names}", names=listed(having, "or")),
        )
    if formulation.closed_form:
        _refuse_steps(spec, formulation, key)
    elif integrator.usual_tolerances is None:
        for name in ("rtol", "atol"):
            if getattr(spec, name) is not None:
                raise _no_tolerance(f"{key}.{name}", name, integrator.name, getattr(spec, name))
    chosen = spec.stabilisation or "none"
    if chosen not in PROJECTIONS:
        raise _refusal(
            f"{key}.stabilisation",
            phrase("one of {names}", names=listed(map(stabilisation_called, PROJECTIONS))),
            repr(chosen),
            "correct the spelling",
        )
    if chosen not in formulation.stabilisations:
        raise _refusal(
            f"{key}.stabilisation",
            phrase(
                "one of {names} for {name}: {reason}",
                names=listed(map(stabilisation_called, formulation.stabilisations)),
                name=formulation.called,
                reason=_reason(formulation, chosen),
            ),
            stabilisation_called(chosen, repr(chosen)),
            "remove the key, or choose another formulation",
        )
    if integrator.stabilisations is not None and chosen not in integrator.stabilisations:
        raise _refusal(
            f"{key}.stabilisation",
            phrase(
                "one of {names} with {name}: {reason}",
                names=listed(map(stabilisation_called, integrator.stabilisations)),
                name=integrator.called(),
                reason=phrase(integrator.stabilised_by),
            ),
            stabilisation_called(chosen, repr(chosen)),
            "remove the key, or choose another integrator",
        )
    for name in ("alpha", "beta"):
        if getattr(spec, name) is not None and chosen != "baumgarte":
            raise _refusal(
                f"{key}.{name}",
                phrase(
                    "no {name} without stabilisation = {method}",
                    name=name,
                    method=stabilisation_called("baumgarte", '"baumgarte"'),
                ),
                f"{getattr(spec, name):g}",
                "remove the key, or add the stabilisation",
            )


def refuse_file(spec: Lane, family: type[Formulation], key: str) -> None:
    """Refuse a file or a recording that the form does not read, and none, or a file that is not there, where it reads one: before
    it is made. A recording that is not there is a lane's story."""
    if (spec.recording is not None) != family.recorded:
        expected = phrase("a recording for {name}", name=family().called)
        if family.recorded:
            raise _refusal(
                f"{key}.recording", expected, "no such key", 'add recording = "...", beside the preset'
            )
        expected = phrase("no recording for {name}, which is computed", name=family().called)
        found = getattr(spec.recording, "file", "") or repr(spec.recording)
        raise _refusal(
            f"{key}.recording", expected, found, "remove the key, or choose a recording as the formulation"
        )
    lacking = phrase("the file that {name} reads", name=family().called)
    if spec.file is None and family.reads_file:
        raise _refusal(f"{key}.file", lacking, "no such key", 'add file = "...", beside the preset')
    if spec.file is None or (family.reads_file and Path(spec.file).is_file()):
        return
    if family.reads_file:
        raise _refusal(f"{key}.file", lacking, phrase("no file {file}", file=spec.file), "check the path")
    unread = phrase("no file for {name}, which reads none", name=family().called)
    raise _refusal(f"{key}.file", unread, spec.file, "remove the key, or choose another formulation")


def _refuse_steps(spec: Lane, formulation: Formulation, key: str) -> None:
    """Refuse what only an integrated lane can have."""
    for name in ("integrator", "dt", "rtol", "atol", "stabilisation"):
        if getattr(spec, name) is not None:
            raise _refusal(
                f"{key}.{name}",
                phrase(
                    "no {key} for {form}, which is evaluated at each sample, not stepped",
                    key=name,
                    form=formulation.called,
                ),
                f"{getattr(spec, name)}",
                "remove the key",
            )


def _reason(formulation: Formulation, chosen: str) -> str:
    if formulation.stabilisations == ("none",):
        return phrase("its coordinates have no constraint, or are kept on it by construction")
    called = stabilisation_called(chosen)
    return phrase("{chosen} acts on the equation for p.p'', which it does not have", chosen=called)


def _refusal(key: str, expected: str, found: str, remedy: str) -> InputError:
    return InputError(expected=expected, found=found, remedy=remedy, key=key)


def uses(lane: Lane, integrator: str) -> dict[str, bool]:
    """Which of the settings that few lanes have make sense for this one."""
    kind = kind_of(lane.formulation)
    damped = lane.stabilisation == "baumgarte"
    stepped = not kind.closed_form
    adaptive = stepped and takes_tolerances(lane.integrator or integrator)
    return {
        "integrator": stepped, "dt": stepped, "rtol": adaptive, "atol": adaptive, "file": kind.reads_file,
        "stabilisation": len(kind.stabilisations) > 1, "alpha": damped, "beta": damped, "J0": kind.free_inertia,
    }  # fmt: skip
