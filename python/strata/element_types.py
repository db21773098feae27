"""Element types by the names of the array API standard: NumPy's."""

from __future__ import annotations

from typing import Any

import numpy

bool: Any = numpy.bool_
int8: Any = numpy.int8
int16: Any = numpy.int16
int32: Any = numpy.int32
int64: Any = numpy.int64
uint8: Any = numpy.uint8
uint16: Any = numpy.uint16
uint32: Any = numpy.uint32
uint64: Any = numpy.uint64
float16: Any = numpy.float16
float32: Any = numpy.float32
float64: Any = numpy.float64
complex64: Any = numpy.complex64
complex128: Any = numpy.complex128
