"""The figures and tables of the documents, one file each: made anew, never digitised."""

from quatviz.base.registry import Registry
from quatviz.export.documents.base import Exhibit

EXHIBITS: Registry[Exhibit] = Registry(__name__, Exhibit)
