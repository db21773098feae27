; Indentation as `strata format` lays it out. Helix reads @indent and @outdent, Zed @indent and @end.

(block "}" @end @outdent) @indent
(semiring "}" @end @outdent) @indent
(schedule "}" @end @outdent) @indent
(for_loop body: (statements "end" @end @outdent)) @indent
(while_loop body: (statements "end" @end @outdent)) @indent
