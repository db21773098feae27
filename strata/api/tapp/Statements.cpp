// One session, and the statements that products have asked for.
#include "strata/api/tapp/Statements.h"

#include "strata/api/tapp/Errors.h"

#include <map>
#include <mutex>

using namespace strata::tapp;

namespace {

struct Session {
  std::mutex turn;
  strata_session *session = nullptr;
  std::map<std::pair<size_t, TAPP_datatype>, strata_format *> formats;
  std::map<std::string, strata_statement *> statements;
};

} // namespace

/// As many statements are kept that no product has any more.
static constexpr size_t mostStatements = 256;

// Lives as long as the process, whose threads may still use it when it ends.
static Session &theSession() {
  static Session *made = new Session;
  return *made;
}

static strata_type typeOf(TAPP_datatype type) {
  switch (type) {
  case TAPP_F64:
    return STRATA_F64;
  case TAPP_C32:
    return STRATA_C64;
  case TAPP_C64:
    return STRATA_C128;
  default:
    return STRATA_F32;
  }
}

static TAPP_error formatFor(Session &own, size_t order, TAPP_datatype type,
                            strata_format *&format) {
  strata_format *&known = own.formats[{order, type}];
  if (!known)
    if (TAPP_error error = errorOf(strata_format_parse(
            own.session, "Dense", static_cast<int32_t>(order), typeOf(type), &known)))
      return error;
  format = known;
  return Success;
}

// Sizes, too, decide which statement it is: each remembers how it ran for few of them.
static std::string keyOf(const Contraction &contraction) {
  std::string key = contraction.text + " " + std::to_string(contraction.type);
  for (const std::vector<int64_t> *sizes :
       {&contraction.sizes, &contraction.A.sizes, &contraction.B.sizes})
    for (int64_t size : *sizes)
      key += "," + std::to_string(size);
  return key;
}

TAPP_error strata::tapp::statementFor(const Contraction &contraction, Statement &statement) {
  Session &own = theSession();
  std::lock_guard turn(own.turn);
  if (!own.session)
    if (TAPP_error error = errorOf(strata_session_create(&own.session)))
      return error;
  const TAPP_datatype type = contraction.type;
  Statement made;
  for (auto [order, format] : {std::pair(contraction.A.sizes.size(), &made.A),
                               std::pair(contraction.B.sizes.size(), &made.B),
                               std::pair(contraction.sizes.size(), &made.result)})
    if (TAPP_error error = formatFor(own, order, type, *format))
      return error;
  const std::string key = keyOf(contraction);
  auto found = own.statements.find(key);
  if (found == own.statements.end()) {
    const strata_operand operands[] = {{"A", made.A}, {"B", made.B}};
    strata_statement_options options = {};
    options.result = made.result;
    if (TAPP_error error = errorOf(strata_statement_create(own.session, contraction.text.c_str(),
                                                           operands, 2, &options, &made.statement)))
      return error;
    if (own.statements.size() >= mostStatements) {
      for (auto &[text, kept] : own.statements)
        strata_statement_release(kept);
      own.statements.clear();
    }
    found = own.statements.emplace(key, made.statement).first;
  }
  made.statement = strata_statement_retain(found->second);
  statement = made;
  return Success;
}

void strata::tapp::release(Statement &statement) {
  strata_statement_release(statement.statement);
  statement = {};
}

TAPP_error strata::tapp::adopt(strata_format *format, const std::vector<int64_t> &sizes,
                               int64_t count, TAPP_datatype type, const void *elements,
                               strata_tensor **tensor) {
  const strata_array array = {const_cast<void *>(elements), count, typeOf(type)};
  return errorOf(strata_tensor_from_buffers(theSession().session, format, sizes.data(), &array, 1,
                                            STRATA_ADOPT, nullptr, nullptr, tensor));
}
