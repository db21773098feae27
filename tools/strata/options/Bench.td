// The options of `strata bench`; all others are those of the statement.
include "Kinds.td"

defm against : Word<"against", "OPTIONS", "another contestant: the statement with these options, besides those that all have. "
    "May be given several times">;
defm rounds : Word<"rounds", "N", "how often each contestant has its turn; 9 where not given">;
def json : Switch<"json", "print the figures as JSON">;
def csv : Switch<"csv", "print the figures as comma-separated values">;
