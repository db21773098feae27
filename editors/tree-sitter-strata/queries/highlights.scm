; Colours, by the names of captures that tree-sitter, Neovim and Zed share. No two patterns give one node
; different names, since editors differ in which of two counts. The lists of words are those of the
; compiler: a test compares them.

(comment) @comment
(text) @string
(escape) @string.escape
[(integer) (number) (imaginary) (sizes)] @number
["inf" "infi" "nan" "nani" "?"] @constant.builtin

; ---- Words of the language ----

[
  "IndexLabel" "Machine" "Tensor" "def" "on" "operator" "schedule" "semiring" "var"
  "else" "end" "for" "if" "in" "limit" "range" "repeat" "return" "until" "while"
] @keyword
(break_statement) @keyword
["floordiv" "mod"] @keyword.operator
["add" "multiply" "zero" "one" "sorted" "slot"] @property

; ---- What is declared ----

(function name: (name) @function)
(operator_function name: (name) @function)
(operator_function parameter: (name) @variable.parameter)
(function_parameter name: (name) @variable.parameter)
(function (tensor_declaration name: (name) @variable.parameter))
(semiring name: (name) @type)
(machine name: (name) @type)
(machine_axis name: (name) @property)

; ---- Types and formats ----

(element_type (name) @type)
(format_name (name) @type)
(placement machine: (name) @type)
(axis machine: (name) @type name: (name) @property)
(format_option name: (name) @property)
((format_level format: (name) @type.builtin)
  (#any-of? @type.builtin
    "band" "batch" "bitmap" "block_list" "compressed" "dense" "hashed" "loose_compressed"
    "offset" "padded" "ragged" "range" "run_length" "singleton" "structured"))

; ---- Functions, casts, scheduling commands ----

((call function: (name) @function.builtin)
  (#any-of? @function.builtin
    "SUM" "abs" "acos" "acosh" "any" "asin" "asinh" "atan" "atan2" "atanh" "bitnot" "cbrt"
    "ceil" "comet_read" "concat" "conj" "copysign" "cos" "cosh" "erf" "erfc" "exp" "explicit"
    "expm1" "floor" "getTime" "get_time" "heaviside" "im" "inverse" "lexi_order" "log" "log10"
    "log1p" "log2" "max" "min" "mod" "nnz" "not" "orthonormal" "pinv" "pow" "print"
    "printElapsedTime" "print_elapsed_time" "prod" "random" "re" "read" "read_from_file" "sign"
    "sin" "singular_values" "singular_vectors" "sinh" "size" "solve" "space_read" "sqrt"
    "square" "stencil" "sum" "tan" "tanh" "tensor_reorder" "transpose" "where" "write"))
((call function: (name) @type.builtin)
  (#any-of? @type.builtin
    "bfloat16" "bool" "char" "complex" "complex128" "complex64" "complexdouble" "complexfloat"
    "double" "float" "float16" "float32" "float64" "half" "int" "int16" "int16_t" "int32"
    "int32_t" "int64" "int64_t" "int8" "int8_t" "long" "longlong" "short" "uchar" "uint"
    "uint16" "uint16_t" "uint32" "uint32_t" "uint64" "uint64_t" "uint8" "uint8_t" "ulong"
    "ulonglong" "ushort"))
((command name: (name) @function.macro)
  (#any-of? @function.macro
    "accumulate" "assemble" "assume" "bound" "collapse" "communicate" "contract" "convert"
    "distribute" "divide" "extract" "fold" "fuse" "inline" "locate" "materialize" "mergeby"
    "parallelize" "pos" "precompute" "reorder" "rotate" "separate" "share" "specialize" "split"
    "tile" "ttgt" "unroll" "vectorize"))

; ---- Operators and punctuation ----

(assign_op) @operator
(operator) @operator
(join semiring: (name) @operator)
(mask word: (name) @attribute)
[
  "+" "-" "*" ".*" "/" "|" "^" "&" "<<" ">>" "!" "~" "==" "!=" "<" "<=" ">" ">=" "||" "&&" "@" "->"
] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" ":" "."] @punctuation.delimiter
