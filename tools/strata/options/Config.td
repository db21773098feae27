// The options of `strata config`.
include "Kinds.td"

def list_all : Switch<"list", "all settings: what they mean, and who sets them, as a table of Markdown">;
def json : Switch<"json", "print what holds as JSON">;
