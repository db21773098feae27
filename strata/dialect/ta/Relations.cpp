// Turns relations around.
#include "strata/dialect/ta/Relations.h"

namespace strata::ta {

Relation inverseOf(Relation relation) {
  switch (relation) {
  case Relation::eq:
    return Relation::ne;
  case Relation::ne:
    return Relation::eq;
  case Relation::lt:
    return Relation::ge;
  case Relation::le:
    return Relation::gt;
  case Relation::gt:
    return Relation::le;
  case Relation::ge:
    return Relation::lt;
  case Relation::ult:
    return Relation::uge;
  case Relation::ule:
    return Relation::ugt;
  case Relation::ugt:
    return Relation::ule;
  case Relation::uge:
    break;
  }
  return Relation::ult;
}

Relation swapped(Relation relation) {
  switch (relation) {
  case Relation::lt:
    return Relation::gt;
  case Relation::le:
    return Relation::ge;
  case Relation::gt:
    return Relation::lt;
  case Relation::ge:
    return Relation::le;
  case Relation::ult:
    return Relation::ugt;
  case Relation::ule:
    return Relation::uge;
  case Relation::ugt:
    return Relation::ult;
  case Relation::uge:
    return Relation::ule;
  case Relation::eq:
  case Relation::ne:
    break;
  }
  return relation;
}

} // namespace strata::ta
