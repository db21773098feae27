// The grammar of Strata's programs (.ta) for tree-sitter. What has a rule in docs/Language.md, under
// "Grammar", has its name here, with underscores; a rule whose name begins with one makes no node.
// Words that mean something at one place only are names elsewhere, as in the language. What the parser of
// the compiler refuses by the value or the spelling of a token, such as a number that is too large, is no
// error here.

// Returns one or more of a rule, with commas between them.
function list(rule) {
  return seq(rule, repeat(seq(",", rule)));
}

// Returns a list that may be empty.
function maybeList(rule) {
  return optional(list(rule));
}

// Returns the operation of a left and a right side, which binds to the left.
function operation(left, operator, right) {
  return seq(field("left", left), field("operator", operator), field("right", right));
}

// Returns a rule that makes nodes of that name.
function named($, rule, name) {
  return alias(rule, $[name]);
}

module.exports = grammar({
  name: "strata",

  extras: ($) => [/[ \t-\r]/, $.comment],

  word: ($) => $.name,

  // `SELL:32,256` and `{D:4, CU}`: what follows the comma tells whether the name ends before it. Behind
  // `fill = 1`, what follows a `+` tells whether the number ends before it; `infi` goes on with it.
  conflicts: ($) => [[$.format_name], [$.complex_number]],

  rules: {
    program: ($) =>
      repeat(choice($.function, $.operator_function, $.semiring, $.machine, ";")),

    // ---- Words ----

    comment: (_) => token(/#[^\r\n]*/),
    name: (_) => /[A-Za-z_][A-Za-z0-9_]*/,
    integer: (_) => /[0-9]+/,
    sizes: (_) => /[0-9]+(x[0-9]+)+/,
    // What is no integer. `2.*A` is 2 .* A, so that a point without digits is a token of its own.
    number: ($) =>
      choice(
        token(/[0-9]*\.[0-9]+([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+/),
        seq($.integer, token.immediate(/\.([eE][+-]?[0-9]+)?/)),
      ),
    imaginary: ($) =>
      choice(
        token(/([0-9]*\.[0-9]+([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|[0-9]+)i/),
        seq($.integer, token.immediate(/\.([eE][+-]?[0-9]+)?i/)),
      ),
    text: ($) =>
      seq(
        '"',
        repeat(choice(token.immediate(prec(1, /[^"\\\r\n]+/)), $.escape)),
        token.immediate('"'),
      ),
    escape: (_) => token.immediate(/\\[^\r\n]/),

    // ---- Programs ----

    machine: ($) => seq("Machine", field("name", $.name), "(", list($.machine_axis), ")"),
    machine_axis: ($) =>
      seq(optional(seq(field("name", $.name), "=")), field("cells", choice($._bound, "?"))),

    operator_function: ($) =>
      seq(
        "operator",
        field("name", $.name),
        "(",
        list(field("parameter", $.name)),
        ")",
        "=",
        field("value", $._expression),
        ";",
      ),

    semiring: ($) =>
      seq(
        "semiring",
        field("name", $.name),
        "{",
        repeat(seq($.semiring_part, optional(choice(",", ";")))),
        "}",
      ),
    semiring_part: ($) =>
      choice(
        seq(field("part", choice("add", "multiply")), "=", field("value", $._expression)),
        seq(field("part", choice("zero", "one")), "=", field("value", $.boundless_number)),
      ),
    boundless_number: ($) => seq(optional("-"), choice($.integer, $.number, "inf")),

    function: ($) =>
      seq(
        "def",
        field("name", $.name),
        "(",
        maybeList(choice($.function_parameter, $.tensor_declaration)),
        ")",
        field("body", $.block),
      ),
    function_parameter: ($) => seq(field("name", $.name), optional($.dimensions)),

    block: ($) => seq("{", repeat($._statement), "}"),
    // The body of a loop without braces.
    statements: ($) => seq(repeat($._statement), "end"),
    _statement: ($) =>
      choice(
        seq(
          optional(
            choice(
              $.labels_declaration,
              $.tensor_declaration,
              $.scalar_declaration,
              $.return_statement,
              $.break_statement,
              $.assignment,
              $.call,
            ),
          ),
          ";",
        ),
        $.for_loop,
        $.while_loop,
        $.repeat_loop,
        $.branch,
      ),
    return_statement: ($) => seq("return", optional($._expression)),
    break_statement: (_) => "break",

    labels_declaration: ($) =>
      seq(
        "IndexLabel",
        choice(field("name", $.name), seq("[", list(field("name", $.name)), "]")),
        "=",
        field("range", $.range),
      ),
    range: ($) =>
      seq(
        "[",
        choice(
          "?",
          seq($._bound, optional(seq(":", choice($._bound, "?"), optional(seq(":", $._bound))))),
        ),
        "]",
      ),
    _bound: ($) => choice(seq(optional("-"), $.integer), $.name),

    tensor_declaration: ($) =>
      seq(
        "Tensor",
        optional($.element_type),
        field("name", $.name),
        choice(
          $.dimensions,
          seq("(", $.dimensions, optional(seq(",", field("format", $.format))), ")"),
        ),
      ),
    element_type: ($) => seq("<", $.name, ">"),
    dimensions: ($) => seq("[", maybeList($._bound), "]"),

    scalar_declaration: ($) =>
      seq(
        "var",
        field("name", $.name),
        "=",
        field("value", $._expression),
        optional($.schedule),
      ),

    assignment: ($) =>
      seq(
        field("left", choice($.name, $.access, $.call)),
        optional($.mask),
        field("operator", $.assign_op),
        field("right", choice($._expression, $.values)),
        optional($.schedule),
      ),
    assign_op: (_) =>
      choice("=", "+=", "-=", "*=", "|=", "&=", seq(choice("min", "max", "any"), "=")),
    mask: ($) =>
      seq(
        "<",
        optional("!"),
        field("tensor", choice($.name, $.access, $.call)),
        repeat(seq(",", field("word", $.name))),
        ">",
      ),

    values: ($) => choice($.list_of_values, seq("{", maybeList($.entry_of_values), "}")),
    list_of_values: ($) => seq("[", choice(list($.list_of_values), list($._expression)), "]"),
    entry_of_values: ($) =>
      seq("(", list(field("coordinate", $.integer)), ")", ":", field("value", $._expression)),

    // ---- Loops and branches ----

    for_loop: ($) =>
      seq(
        "for",
        choice($.range_of_loop, seq("(", $.range_of_loop, ")")),
        optional(":"),
        field("body", $._loop_body),
      ),
    range_of_loop: ($) =>
      seq(
        field("variable", $.name),
        "in",
        "range",
        "(",
        $._argument,
        optional(seq(",", $._argument, optional(seq(",", $._argument)))),
        ")",
      ),
    _loop_body: ($) => choice($.block, $.statements),
    while_loop: ($) =>
      seq(
        "while",
        "(",
        field("condition", $._condition),
        ")",
        optional($.limit),
        optional(":"),
        field("body", $._loop_body),
      ),
    repeat_loop: ($) =>
      seq(
        "repeat",
        optional($.limit),
        field("body", $.block),
        "until",
        "(",
        field("condition", $._condition),
        ")",
      ),
    limit: ($) => seq("limit", $._bound),
    branch: ($) =>
      seq(
        "if",
        "(",
        field("condition", $._condition),
        ")",
        field("consequence", $.block),
        optional(seq("else", field("alternative", choice($.branch, $.block)))),
      ),

    _condition: ($) =>
      choice($._conjunction, named($, $._disjoined, "operation")),
    _disjoined: ($) => operation($._condition, "||", $._conjunction),
    _conjunction: ($) =>
      choice(named($, $._comparison, "operation"), named($, $._conjoined, "operation")),
    _conjoined: ($) =>
      operation($._conjunction, "&&", named($, $._comparison, "operation")),
    _comparison: ($) =>
      operation($._bits, choice("==", "!=", "<", "<=", ">", ">="), $._bits),

    // ---- Expressions ----

    _expression: ($) => choice($._bits, named($, $._comparison, "operation")),
    _bits: ($) => choice($._sum, named($, $._bitwise, "operation")),
    _bitwise: ($) =>
      choice(
        prec.left(1, operation($._bits, "|", $._bits)),
        prec.left(2, operation($._bits, "^", $._bits)),
        prec.left(3, operation($._bits, "&", $._bits)),
        prec.left(4, operation($._bits, choice("<<", ">>"), $._bits)),
      ),
    _sum: ($) => choice($._term, named($, $._addition, "operation")),
    _addition: ($) => operation($._sum, choice("+", "-"), $._term),
    _term: ($) => choice($._factor, named($, $._product, "operation")),
    _product: ($) =>
      operation($._term, choice("*", ".*", "/", "floordiv", "mod", $.join), $._factor),
    join: ($) =>
      seq(
        "@",
        choice(
          field("semiring", $.name),
          seq("(", $.operator, optional(seq(",", $.operator)), ")"),
        ),
      ),
    operator: ($) =>
      choice($.name, "+", "-", "*", "/", "|", "&", "==", "!=", "<", "<=", ">", ">="),
    _factor: ($) => choice($._minus_or_primary, named($, $._complement, "unary")),
    _complement: ($) =>
      seq(field("operator", choice("!", "~")), field("operand", $._factor)),
    _minus_or_primary: ($) => choice($._primary, named($, $._negation, "unary")),
    _negation: ($) => seq(field("operator", "-"), field("operand", $._minus_or_primary)),
    _primary: ($) =>
      choice(
        $.integer,
        $.number,
        $.imaginary,
        $.text,
        $.name,
        $.access,
        $.call,
        $.parentheses,
      ),
    parentheses: ($) => seq("(", $._expression, ")"),
    access: ($) => seq(field("tensor", $.name), $.coordinates),
    coordinates: ($) => seq("[", maybeList($._sum), "]"),
    call: ($) => seq(field("function", $.name), $.arguments),
    arguments: ($) => seq("(", maybeList($._argument), ")"),
    _argument: ($) => choice($._expression, $.labels),
    labels: ($) => seq("{", maybeList($.name), "}"),

    // ---- Schedules ----

    schedule: ($) =>
      seq(
        "schedule",
        "{",
        optional(seq($.command, repeat(seq(choice(";", ","), $.command)), optional(choice(";", ",")))),
        "}",
      ),
    command: ($) => seq(field("name", $.name), "(", maybeList($._command_argument), ")"),
    _command_argument: ($) =>
      choice(
        $.text,
        $.integer,
        $.command_list,
        $._command_operand,
        named($, $._argument_operation, "operation"),
      ),
    command_list: ($) => seq("{", maybeList($._command_argument), "}"),
    // An argument begins with no number, unless it is one.
    _argument_operation: ($) =>
      operation(
        choice($._command_operand, named($, $._argument_operation, "operation")),
        choice("*", "/", "+", "-"),
        $._command_factor,
      ),
    _command_expression: ($) =>
      choice($._command_factor, named($, $._command_operation, "operation")),
    _command_operation: ($) =>
      operation($._command_expression, choice("*", "/", "+", "-"), $._command_factor),
    _command_factor: ($) => choice($.integer, $.number, $._command_operand),
    _command_operand: ($) =>
      choice(
        $.name,
        $.axis,
        named($, $._command_access, "access"),
        named($, $._command_call, "call"),
        named($, $._command_group, "parentheses"),
      ),
    axis: ($) => seq(field("machine", $.name), ".", field("name", $.name)),
    _command_access: ($) => seq(field("tensor", $.name), named($, $._command_coordinates, "coordinates")),
    _command_coordinates: ($) => seq("[", list($._command_expression), "]"),
    _command_call: ($) => seq(field("function", $.name), named($, $._command_group, "arguments")),
    _command_group: ($) => seq("(", list($._command_expression), ")"),

    // ---- Formats ----

    format: ($) => seq($._parts_of_format, optional($.placement)),
    _parts_of_format: ($) => seq($._format_part, repeat(seq("+", $._format_part))),
    _format_part: ($) => choice($.format_name, $.format_part),
    format_part: ($) =>
      choice(
        seq(
          "{",
          choice(
            list($.format_name),
            seq(
              choice(seq(list($.format_name), repeat(seq(",", $.format_option))), $.format_part),
              repeat1(seq("+", $._format_part)),
            ),
          ),
          repeat(seq(",", $.format_option)),
          "}",
          optional(seq(":", field("limit", $.integer))),
        ),
        seq("{", named($, $._whole_map, "format_part"), "}", optional(seq(":", field("limit", $.integer)))),
        $._whole_map,
      ),
    _whole_map: ($) =>
      prec.right(
        seq(
          $.format_map,
          repeat(seq(",", $.format_option)),
          optional(seq(":", field("limit", $.integer))),
        ),
      ),
    format_name: ($) =>
      seq(
        $.name,
        repeat(seq("-", $.name)),
        optional(
          seq(
            ":",
            choice($.sizes, seq($.integer, optional(seq(",", $.integer)))),
            optional(seq(":", field("limit", $.integer))),
          ),
        ),
      ),
    format_map: ($) =>
      seq("(", list($.format_dimension), ")", "->", "(", list($.format_level), ")"),
    format_dimension: ($) =>
      seq(field("name", $.name), optional(seq("sorted", optional(seq("(", $.integer, ")"))))),
    format_level: ($) =>
      seq(
        field("coordinate", choice($._map_sum, $.slot)),
        ":",
        field("format", $.name),
        optional(seq("(", list(choice($.name, $.integer, $.format_option)), ")")),
      ),
    format_option: ($) => seq(field("name", $.name), "=", field("value", $.complex_number)),
    complex_number: ($) =>
      seq(
        optional("-"),
        choice(
          prec.dynamic(1, seq($._real_part, choice("+", "-"), $._imaginary_part)),
          $._real_part,
          $._imaginary_part,
        ),
      ),
    _real_part: ($) => choice($.integer, $.number, "inf", "nan"),
    _imaginary_part: ($) => choice($.imaginary, "infi", "nani"),
    slot: ($) => seq("slot", "(", list($._map_sum), ")"),
    _map_sum: ($) => choice($._map_product, named($, $._map_addition, "operation")),
    _map_addition: ($) => operation($._map_sum, choice("+", "-"), $._map_product),
    _map_product: ($) => choice($._map_primary, named($, $._map_multiplication, "operation")),
    _map_multiplication: ($) =>
      operation($._map_product, choice("*", "floordiv", "mod"), $._map_primary),
    _map_primary: ($) =>
      choice($.integer, $.name, alias("slot", $.name), named($, $._map_group, "parentheses")),
    _map_group: ($) => seq("(", $._map_sum, ")"),

    placement: ($) => seq("on", field("machine", $.name), "(", list($.place), ")"),
    place: ($) =>
      choice("*", $.integer, seq(optional("~"), choice($.name, seq("(", list($.name), ")")))),
  },
});
