"""The version of the array API standard that the package has, and its constants."""

from __future__ import annotations

from math import e as e
from math import inf as inf
from math import nan as nan
from math import pi as pi

#: Stands for a new dimension of size 1 in brackets.
newaxis = None

__array_api_version__ = "2025.12"
