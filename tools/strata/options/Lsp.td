// The options of `strata lsp`.
include "Kinds.td"

defm time_limit : Word<"time-limit", "SECONDS", "what planning a program may take; where not given, 10">;
defm max_memory : Word<"max-memory", "SIZE", "what planning a program may take of memory: bytes, or with "
    "K, M, G or T; where not given, 2G">;
def stdio : Switch<"stdio", "use standard input and output, as is always done: some editors say so">;
def quiet : Quiet;
