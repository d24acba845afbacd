"""Errata of the source documents, shown on the help page *Errata* and checked by `quatviz verify errata`."""

from quatviz.verification.errata import s0, s1, s2, s3, s4
from quatviz.verification.errata.base import Erratum, ErratumResiduals

ERRATA: dict[str, tuple[Erratum, ...]] = {
    "S0": s0.ERRATA,
    "S1": s1.ERRATA,
    "S2": s2.ERRATA,
    "S3": s3.ERRATA,
    "S4": s4.ERRATA,
}
"""Errata by document, in the order of its pages."""

__all__ = ["ERRATA", "Erratum", "ErratumResiduals"]
