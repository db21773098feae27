// The options of `strata bench`; all others are those of the statement, or of `strata run`.
include "Kinds.td"

defm against : Word<"against", "OPTIONS", "another contestant: the same with these options, besides those that all have; or a file "
    "that --json has written, whose times it is compared with. May be given several times">;
defm rounds : Word<"rounds", "N", "how often each contestant has its turn; 9 where not given">;
defm repeat : Word<"repeat", "N", "runs of a turn that count; where not given, as many as fit a tenth of a second">;
defm warmup : Word<"warmup", "N", "runs at the beginning of a turn that do not count; 3 where not given">;
defm threads : Word<"threads", "N,...", "threads that compute at once; several numbers are a contestant each">;
def json : Switch<"json", "print the figures as JSON">;
def csv : Switch<"csv", "print the figures as comma-separated values">;
