; What can be folded away, down to its first line.

[
  (function)
  (semiring)
  (for_loop)
  (while_loop)
  (repeat_loop)
  (branch)
  (schedule)
] @fold
