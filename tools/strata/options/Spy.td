// The options of `strata spy`.
include "Kinds.td"

defm output : Letter<"o", "FILE", "the picture to write, whose name ends in .png; without it the "
    "picture is printed in characters">;
defm size : Word<"size", "PIXELS", "the longer side of the picture: from 8 to 8192 pixels, 512 where "
    "not given">;
defm dims : Word<"dims", "I,J", "the dimensions that go down and across, counted from 1; 1,2 where not "
    "given">;
defm base : Base;
def quiet : Quiet;
