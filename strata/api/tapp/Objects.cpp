// Handles and executors, which carry nothing but their attributes, and statuses.
#include "strata/api/tapp/Errors.h"

#include <map>
#include <mutex>

using namespace strata::tapp;

namespace {

// The objects that there are, by their addresses, so that any other number is noticed.
struct Objects {
  std::mutex turn;
  intptr_t next = 1;
  std::map<intptr_t, std::map<TAPP_key, void *>> attributes;
};

} // namespace

// Lives as long as the process, whose threads may still use it when it ends.
static Objects &objects() {
  static Objects *made = new Objects;
  return *made;
}

static TAPP_error create(intptr_t *object) {
  if (!object)
    return MissingArgument;
  Objects &all = objects();
  std::lock_guard turn(all.turn);
  *object = all.next++;
  all.attributes[*object];
  return Success;
}

static TAPP_error destroy(intptr_t object) {
  Objects &all = objects();
  std::lock_guard turn(all.turn);
  return all.attributes.erase(object) ? Success : UnknownObject;
}

TAPP_error TAPP_create_handle(TAPP_handle *handle) { return create(handle); }
TAPP_error TAPP_destroy_handle(TAPP_handle handle) { return destroy(handle); }
TAPP_error TAPP_create_executor(TAPP_executor *exec) { return create(exec); }
TAPP_error TAPP_destroy_executor(TAPP_executor exec) { return destroy(exec); }
TAPP_error TAPP_destroy_status(TAPP_status) { return Success; }

TAPP_error TAPP_attr_set(TAPP_attr attr, TAPP_key key, void *value) {
  Objects &all = objects();
  std::lock_guard turn(all.turn);
  auto object = all.attributes.find(attr);
  if (object == all.attributes.end())
    return UnknownObject;
  object->second[key] = value;
  return Success;
}

TAPP_error TAPP_attr_get(TAPP_attr attr, TAPP_key key, void **value) {
  if (!value)
    return MissingArgument;
  Objects &all = objects();
  std::lock_guard turn(all.turn);
  auto object = all.attributes.find(attr);
  if (object == all.attributes.end())
    return UnknownObject;
  auto found = object->second.find(key);
  if (found == object->second.end())
    return NoAttribute;
  *value = found->second;
  return Success;
}

TAPP_error TAPP_attr_clear(TAPP_attr attr, TAPP_key key) {
  Objects &all = objects();
  std::lock_guard turn(all.turn);
  auto object = all.attributes.find(attr);
  if (object == all.attributes.end())
    return UnknownObject;
  return object->second.erase(key) ? Success : NoAttribute;
}
