"""Pictures of where the entries of tensors lie."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any, Optional, Sequence

if TYPE_CHECKING:
    from . import _core


class Picture:
    """A picture, which notebooks show.

    Attributes:
        png: The bytes of a PNG file.
    """

    __slots__ = ("png",)
    __module__ = "strata"

    def __init__(self, png: bytes) -> None:
        self.png = png

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        width, height = (int.from_bytes(self.png[at : at + 4], "big") for at in (16, 20))
        return f"<strata.Picture {width}x{height}>"


def spy(core: "_core.Tensor", where: Any, dims: Sequence[int], size: int) -> Optional[Picture]:
    """See Tensor.spy."""
    order = len(core.shape)
    down, across = (dimension + order if dimension < 0 else dimension for dimension in dims)
    if where is not None and not hasattr(where, "imshow"):
        core.spy(down, across, size, where)
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pattern.png")
        core.spy(down, across, size, path)
        with open(path, "rb") as file:
            picture = Picture(file.read())
    if where is None:
        return picture
    import io

    from matplotlib import image

    # Coordinates are whole numbers at the centres of their rows and columns.
    extent = (-0.5, core.shape[across] - 0.5, core.shape[down] - 0.5, -0.5)
    pixels = image.imread(io.BytesIO(picture.png), format="png")[1:-1, 1:-1]
    where.imshow(pixels, cmap="gray", vmin=0, vmax=1, extent=extent, aspect="equal")
    where.xaxis.tick_top()
    return None
