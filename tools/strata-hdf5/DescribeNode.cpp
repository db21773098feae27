// Describing a group or an array: its attributes, what lies in it, its sizes and its type.
#include "Groups.h"
#include "Image.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace strata::hdf5 {
namespace {

using namespace runtime;
using Json = nlohmann::json;

constexpr hsize_t mostNumbers = 64;     ///< of an attribute
constexpr hsize_t mostChildren = 10000; ///< of a group, and attributes of either
constexpr hsize_t mostBelow = 10000;    ///< children of groups in a group, all together

/// Returns the name by a function that gives its length first.
template <typename Get> std::string nameBy(int64_t most, Get get) {
  const ssize_t length = get(nullptr, 0);
  if (length <= 0 || length > most)
    return {};
  std::string name(static_cast<size_t>(length), '\0');
  return get(name.data(), name.size() + 1) == length ? name : std::string();
}

class Description {
public:
  explicit Description(const Image &image) : image(image) {}

  /// Describes what lies so many levels below a group, too.
  Json describe(hid_t object, int levels) {
    const bool group = H5Iget_type(object) == H5I_GROUP;
    Json node = {{"group", group}, {"attributes", attributesOf(object)}};
    if (H5O_info_t facts; H5Oget_info(object, &facts) >= 0)
      node["place"] = static_cast<int64_t>(facts.addr);
    if (!group)
      addArray(object, node);
    else if (H5G_info_t facts; levels > 0 && H5Gget_info(object, &facts) >= 0)
      node["children"] = childrenOf(object, facts.nlinks, levels - 1);
    return node;
  }

private:
  Json childrenOf(hid_t group, hsize_t links, int levels) {
    Json children = Json::object();
    for (hsize_t at = 0; at < std::min(links, mostChildren); ++at) {
      const std::string name = nameBy(image.bytes(), [&](char *to, size_t room) {
        return H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, at, to, room,
                                  H5P_DEFAULT);
      });
      H5L_info_t link;
      // No other file is opened.
      if (name.empty() || H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT) < 0 ||
          (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT))
        continue;
      const hid_t child = H5Oopen(group, name.c_str(), H5P_DEFAULT);
      if (child < 0)
        continue;
      if (H5Iget_type(child) == H5I_GROUP || H5Iget_type(child) == H5I_DATASET)
        children[name] = describe(child, levels > 0 && takesRoom(child) ? levels : 0);
      H5Oclose(child);
    }
    return children;
  }

  /// Tells whether the children of a group are few enough to be described with it.
  bool takesRoom(hid_t object) {
    H5G_info_t facts;
    if (H5Iget_type(object) != H5I_GROUP || H5Gget_info(object, &facts) < 0 ||
        facts.nlinks > mostBelow - below)
      return false;
    below += facts.nlinks;
    return true;
  }

  static void addArray(hid_t data, Json &node) {
    const hid_t space = H5Dget_space(data), type = H5Dget_type(data);
    const int order = H5Sget_simple_extent_ndims(space);
    std::vector<hsize_t> sizes(static_cast<size_t>(std::max(order, 0)));
    if (order > 0)
      H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    const std::optional<ElementType> element = elementTypeOf(type);
    node["sizes"] = sizes;
    node["type"] = element ? fileTypeName(element->type) : "";
    H5Sclose(space);
    H5Tclose(type);
  }

  /// Texts, and few integers; others are left out.
  Json attributesOf(hid_t object) const {
    Json attributes = Json::object();
    H5O_info_t facts;
    if (H5Oget_info(object, &facts) < 0)
      return attributes;
    for (hsize_t at = 0; at < std::min(facts.num_attrs, mostChildren); ++at) {
      const hid_t attribute =
          H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, at, H5P_DEFAULT, H5P_DEFAULT);
      if (attribute < 0)
        continue;
      const std::string name = nameBy(
          image.bytes(), [&](char *to, size_t room) { return H5Aget_name(attribute, room, to); });
      if (Json value = valueOf(attribute); !name.empty() && !value.is_null())
        attributes[name] = std::move(value);
      H5Aclose(attribute);
    }
    return attributes;
  }

  Json valueOf(hid_t attribute) const {
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const H5T_class_t kind = H5Tget_class(type);
    if (kind == H5T_STRING && count == 1)
      return textOf(attribute, type);
    if ((kind != H5T_INTEGER && kind != H5T_ENUM) || count < 1 ||
        count > static_cast<hssize_t>(mostNumbers))
      return {};
    std::vector<int64_t> numbers(static_cast<size_t>(count));
    if (kind == H5T_ENUM) {
      std::vector<int8_t> small(numbers.size());
      if (H5Tget_size(type) != 1 || H5Aread(attribute, type, small.data()) < 0)
        return {};
      std::ranges::copy(small, numbers.begin());
    } else if (H5Aread(attribute, H5T_NATIVE_INT64, numbers.data()) < 0) {
      return {};
    }
    return numbers;
  }

  Json textOf(hid_t attribute, hid_t type) const {
    if (H5Tis_variable_str(type) > 0) {
      char *text = nullptr;
      if (H5Aread(attribute, type, &text) < 0 || !text)
        return {};
      return std::string(text);
    }
    const size_t bytes = H5Tget_size(type);
    if (bytes == 0 || bytes > static_cast<size_t>(image.bytes()))
      return {};
    std::string text(bytes, '\0');
    if (H5Aread(attribute, type, text.data()) < 0)
      return {};
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
  }

  const Image &image;
  hsize_t below = 0; ///< children of groups in the group
};

} // namespace

void describeNode(int descriptor, int memory, const std::string &path) {
  Image image(descriptor, memory);
  const hid_t object = H5Oopen(image.file(), path.c_str(), H5P_DEFAULT);
  if (object < 0 || (H5Iget_type(object) != H5I_GROUP && H5Iget_type(object) != H5I_DATASET))
    image.finish();
  const Json node = Description(image).describe(object, /*levels=*/2);
  image.putText(Hdf5RecordKind::text, node.dump(-1, ' ', false, Json::error_handler_t::replace));
  image.finish();
}

} // namespace strata::hdf5
