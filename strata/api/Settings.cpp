// Settings: what files and the environment say of the process.
#include "strata/settings/Settings.h"
#include "strata/api/Handles.h"
#include "strata/tensor/Quantities.h"

using namespace strata;
using namespace strata::api;

strata_error *strata_settings_read(void) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  for (const settings::Setting &setting : settings::all())
    if (setting.user == settings::User::All && !setting.isAskedFor)
      if (runtime::Status status = settings::check(setting); !status.ok())
        return makeError(STRATA_ERROR_ARGUMENT, status.error());
  if (runtime::Status status = settings::read(); !status.ok())
    return makeError(STRATA_ERROR_ARGUMENT, status.error());
  return nullptr;
}

char *strata_settings_value(const char *key) {
  const settings::Setting *setting = settings::find(key);
  std::optional<settings::Value> value =
      setting ? settings::valueOf(*setting) : std::optional<settings::Value>();
  if (!value)
    return nullptr;
  std::optional<int64_t> bytes =
      setting->kind == settings::Kind::Bytes ? parseBytes(value->text) : std::nullopt;
  return strdup(bytes ? std::to_string(*bytes).c_str() : value->text.c_str());
}
