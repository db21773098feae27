// The options of `strata cache`.
include "Kinds.td"
