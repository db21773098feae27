// The options of `strata explore`.
include "Kinds.td"

defm accelerator : AcceleratorFile<"an accelerator to begin with, as accelerators/*.toml describe it. May be given "
    "several times">;
defm over : Word<"over", "SWEEP", "parameters of accelerators and the values that they are to have, in all "
    "combinations: size=16,64;count=1,2. May be given several times">;
let Values = "time,mean,energy,power,area,area-time,energy-time" in
defm by : Word<"by", "GOAL", "which accelerator is the best: the one of the least time, energy, power, area, "
    "area-time or energy-time (products of two), or of the greatest mean speed of statements; time where "
    "not given">;
defm product : Word<"product", "SIZES", "instead of a program: a product of matrices of doubles, ROWSxCOLUMNSxDEPTH, "
    "or as many as a fourth number says. Nothing is run. May be given several times">;
defm output : Letter<"o", "FILE", "write a picture of time against area and power, whose name ends in .svg">;
defm define : Letter<"D", "NAME=VALUE", "the value of a parameter of the program">;
defm threads : Word<"threads", "N", "threads that compute at once. Where not given: as many as there are "
    "cores">;
defm repeat : Word<"repeat", "N", "run each statement N times; the least time counts">;
defm machine : MachineFile;
def no_cache : NoCache;
def json : Switch<"json", "print all figures as JSON">;
def quiet : Quiet;
