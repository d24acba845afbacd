"""The errata of the source documents: one table for the help page *Errata* and for `quatviz verify errata`."""

from quatviz.verification.errata import s0, s1, s2, s3, s4
from quatviz.verification.errata.base import Erratum, Residuals

ERRATA: dict[str, tuple[Erratum, ...]] = {
    "S0": s0.ERRATA,
    "S1": s1.ERRATA,
    "S2": s2.ERRATA,
    "S3": s3.ERRATA,
    "S4": s4.ERRATA,
}
"""The errata of each document in the order of its pages."""

__all__ = ["ERRATA", "Erratum", "Residuals"]
