// The options of `strata serve`.
include "Kinds.td"

defm port : Word<"port", "N", "the port to listen on; where not given, the system chooses one">;
defm time_limit : Word<"time-limit", "SECONDS", "what a request may take; where not given, 10">;
defm max_memory : Word<"max-memory", "SIZE", "what a request may take of memory: bytes, or with K, M, G "
    "or T; where not given, 2G">;
def quiet : Quiet;
