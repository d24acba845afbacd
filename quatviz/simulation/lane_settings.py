"""Settings of a lane other than formulation, integrator and step, and checks of their combinations."""

from collections.abc import Iterable
from pathlib import Path

from quatviz.base.errors import InputError, join_phrases, phrase, suggest_name
from quatviz.files.preset import Lane, RunSettings
from quatviz.physics.formulations import FORMULATIONS, formulation_class
from quatviz.physics.formulations.base import Formulation, FormulationOptions
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators.base import Integrator, Tolerances
from quatviz.physics.kernels import blocks
from quatviz.physics.mechanics.stabilisation import stabilisation_phrase
from quatviz.physics.mechanics.state import StateVariable

BAUMGARTE_RATE = 10.0
"""Default of Baumgarte's alpha and beta [1/s], with which an error of |p| decays in half a second."""

PROJECTIONS = {
    "none": blocks.PROJECT_NOTHING,
    "renormalise": blocks.PROJECT_P,
    "project": blocks.PROJECT_RATES,
    "baumgarte": blocks.PROJECT_NOTHING,
}
"""Map from the name of each stabilization to the code of the projection that the kernel makes after each step."""


def formulation_options(spec: Lane) -> FormulationOptions:
    """Return the settings of a lane that enter the equations."""
    rate = BAUMGARTE_RATE if spec.stabilisation == "baumgarte" else 0.0
    return FormulationOptions(
        J0=spec.J0,
        alpha=rate if spec.alpha is None else spec.alpha,
        beta=rate if spec.beta is None else spec.beta,
        file=None if spec.file is None else Path(spec.file),
        recording=spec.recording,
        family=None if spec.equations is None else spec.equations.register(),
    )


def lane_tolerances(spec: Lane, run: RunSettings, method: type[Integrator]) -> Tolerances | None:
    """Return the tolerances of an adaptive method, or None for other methods. Values of the lane have priority over
    those of the run, and these over the defaults of the method.

    If no absolute tolerance is given, it equals the relative one, so that a single number sets the accuracy.
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


def is_adaptive(integrator: str) -> bool:
    """Return True if an integrator has tolerances."""
    method = INTEGRATORS.get(integrator)
    return method is not None and method.usual_tolerances is not None


def refuse_unused_tolerances(run: RunSettings, lanes: Iterable[Integrator]) -> None:
    """Raise an `InputError` if a run has tolerances but none of its integrators uses them."""
    if run.rtol is None and run.atol is None:
        return
    if any(map(is_adaptive, (run.integrator, *(integrator.name for integrator in lanes)))):
        return
    for name in ("rtol", "atol"):
        if getattr(run, name) is not None:
            raise _unused_tolerance_error(f"run.{name}", name, run.integrator, getattr(run, name))


def _unused_tolerance_error(key: str, name: str, integrator: str, value: float) -> InputError:
    adaptive = [
        method.display_name() for method in INTEGRATORS.values() if method.usual_tolerances is not None
    ]
    return _refusal(
        key,
        phrase(
            "no {key} for {integrator}, which has fixed steps dt",
            key=name,
            integrator=INTEGRATORS[integrator].display_name(),
        ),
        f"{value:g}",
        phrase("remove the key, or choose {names}", names=join_phrases(adaptive, "or")),
    )


def validate_lane(spec: Lane, formulation: Formulation, integrator: Integrator, key: str) -> None:
    """Raise an `InputError` for settings that the formulation or the integrator would ignore."""
    if spec.J0 is not None and not formulation.has_free_inertia:
        supported = [family().titled_id for family in FORMULATIONS.values() if family.has_free_inertia]
        raise _refusal(
            f"{key}.J0",
            phrase("no J0 for {name}, which has no free moment of inertia", name=formulation.titled_id),
            f"{spec.J0:g}",
            phrase("remove the key, or choose {names}", names=join_phrases(supported, "or")),
        )
    if formulation.has_closed_form:
        _refuse_steps(spec, formulation, key)
    elif integrator.usual_tolerances is None:
        for name in ("rtol", "atol"):
            if getattr(spec, name) is not None:
                raise _unused_tolerance_error(f"{key}.{name}", name, integrator.name, getattr(spec, name))
    stabilisation = spec.stabilisation or "none"
    if stabilisation not in PROJECTIONS:
        raise _refusal(
            f"{key}.stabilisation",
            phrase("one of {names}", names=join_phrases(map(stabilisation_phrase, PROJECTIONS))),
            repr(stabilisation),
            suggest_name(stabilisation, PROJECTIONS, otherwise="correct the spelling"),
        )
    if stabilisation not in formulation.stabilisations:
        raise _refusal(
            f"{key}.stabilisation",
            phrase(
                "{names} for the formulation {name}: {reason}",
                names=join_phrases(map(stabilisation_phrase, formulation.stabilisations), "or"),
                name=formulation.titled_id,
                reason=_no_stabilisation_reason(formulation, stabilisation),
            ),
            stabilisation_phrase(stabilisation, repr(stabilisation)),
            "remove the key, or choose another formulation",
        )
    if integrator.stabilisations is not None and stabilisation not in integrator.stabilisations:
        raise _refusal(
            f"{key}.stabilisation",
            phrase(
                "{names} with the integrator {name}: {reason}",
                names=join_phrases(map(stabilisation_phrase, integrator.stabilisations), "or"),
                name=integrator.display_name(),
                reason=phrase(integrator.stabilised_by),
            ),
            stabilisation_phrase(stabilisation, repr(stabilisation)),
            "remove the key, or choose another integrator",
        )
    for name in ("alpha", "beta"):
        if getattr(spec, name) is not None and stabilisation != "baumgarte":
            raise _refusal(
                f"{key}.{name}",
                phrase(
                    "no {name} without stabilisation = {method}",
                    name=name,
                    method=stabilisation_phrase("baumgarte", '"baumgarte"'),
                ),
                f"{getattr(spec, name):g}",
                "remove the key, or add the stabilization",
            )


def validate_file(spec: Lane, family: type[Formulation], key: str) -> None:
    """Raise an `InputError` if a file or recording is given that the formulation does not use, or if a
    required one is missing.

    This is checked before the formulation is created. If the given recording file does not exist, the lane
    itself reports it.
    """
    if (spec.recording is not None) != family.is_recorded:
        expected = phrase("a recording for {name}", name=family().titled_id)
        if family.is_recorded:
            raise _refusal(
                f"{key}.recording", expected, "no such key", 'add recording = "...", beside the preset'
            )
        expected = phrase("no recording for {name}, which is computed", name=family().titled_id)
        recording_text = getattr(spec.recording, "file", "") or repr(spec.recording)
        raise _refusal(
            f"{key}.recording",
            expected,
            recording_text,
            "remove the key, or choose a recording as the formulation",
        )
    if spec.file is None and not family.reads_file:
        return
    expected_file = phrase(
        "the key file, with the path of the file that {name} reads", name=family().titled_id
    )
    if spec.file is None and family.reads_file:
        raise _refusal(f"{key}.file", expected_file, "no such key", 'add file = "...", beside the preset')
    if spec.file is None or (family.reads_file and Path(spec.file).is_file()):
        return
    if family.reads_file:
        raise _refusal(
            f"{key}.file", expected_file, phrase("no file {file}", file=spec.file), "check the path"
        )
    no_file = phrase("no file for {name}, which does not read a file", name=family().titled_id)
    raise _refusal(f"{key}.file", no_file, spec.file, "remove the key, or choose another formulation")


def _refuse_steps(spec: Lane, formulation: Formulation, key: str) -> None:
    """Raise an `InputError` for settings that only apply to integrated lanes."""
    for name in ("integrator", "dt", "rtol", "atol", "stabilisation"):
        if getattr(spec, name) is not None:
            raise _refusal(
                f"{key}.{name}",
                phrase(
                    "no {key} for {form}, which is evaluated at each sample and not integrated",
                    key=name,
                    form=formulation.titled_id,
                ),
                f"{getattr(spec, name)}",
                "remove the key",
            )


def _no_stabilisation_reason(formulation: Formulation, chosen: str) -> str:
    if formulation.stabilisations == ("none",):
        variables = {block.variable for block in formulation.blocks}
        if StateVariable.EULER_PARAMETERS not in variables:
            return phrase("the coordinates have no constraint")
        if StateVariable.EULER_RATES in variables:
            return phrase("the equations leave out the constraint")
        return phrase("the Euler parameters always satisfy the constraint")
    title = stabilisation_phrase(chosen)
    return phrase(
        "{chosen} acts on the equation for p.p'', which this formulation does not have", chosen=title
    )


def _refusal(key: str, expected: str, found: str, remedy: str) -> InputError:
    return InputError(expected=expected, found=found, remedy=remedy, key=key)


def applicable_settings(lane: Lane, integrator: str) -> dict[str, bool]:
    """Return a map from the name of each less common lane setting to True if it applies to the lane with this
    integrator."""
    formulation = formulation_class(lane.formulation)
    is_baumgarte = lane.stabilisation == "baumgarte"
    is_stepped = not formulation.has_closed_form
    has_tolerances = is_stepped and is_adaptive(lane.integrator or integrator)
    return {
        "integrator": is_stepped,
        "dt": is_stepped,
        "rtol": has_tolerances,
        "atol": has_tolerances,
        "file": formulation.reads_file,
        "stabilisation": len(formulation.stabilisations) > 1,
        "alpha": is_baumgarte,
        "beta": is_baumgarte,
        "J0": formulation.has_free_inertia,
    }
