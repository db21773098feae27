// Understanding the groups of AnnData, of 10x Genomics' files, of MATLAB's and of binsparse.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Binsparse.h"
#include "strata/runtime/io/StoredTensor.h"

#include <algorithm>
#include <set>

namespace strata::runtime {
namespace {

using Kind = StoredTensor::Kind;

/// Takes sizes that an attribute or an array says; false unless they are those of a matrix.
bool takeSizes(StoredTensor &tensor, const std::vector<int64_t> &sizes) {
  tensor.sizes = sizes;
  return sizes.size() == 2 && sizes[0] >= 0 && sizes[1] >= 0;
}

class TensorSearch {
public:
  TensorSearch(ArrayStore &store, std::string_view named) : store(store) {
    while (named.starts_with('/'))
      named.remove_prefix(1);
    while (named.ends_with('/'))
      named.remove_suffix(1);
    group = named;
  }

  /// Adds the paths of the tensors in a group, and in groups below it.
  Status list(const std::string &path, std::vector<std::string> &found) {
    constexpr int mostGroups = 1000;
    Result<std::optional<StoreNode>> node = store.describe(path);
    if (!node)
      return node.takeStatus();
    if (!*node || ++described > mostGroups)
      return {};
    if ((*node)->isGroup && (*node)->place && !listedGroups.insert(*(*node)->place).second)
      return {}; // a link leads back to it
    if (saysTensor(**node) || isTenX(**node) || isArrayOfNumbers(**node)) {
      found.push_back(path);
      return {};
    }
    for (const auto &[name, child] : (*node)->children) {
      const std::string below = childPath(path, name);
      if (name.starts_with('#'))
        continue;
      if (isArrayOfNumbers(child) || (child.isGroup && saysTensor(child)))
        found.push_back(below);
      else if (child.isGroup)
        if (Status listed = list(below, found); !listed.ok())
          return listed;
    }
    return {};
  }

  Result<StoredTensor> run() {
    Result<std::optional<StoreNode>> described = store.describe("");
    if (!described)
      return described.takeStatus();
    if (!*described)
      return Error{Error::Damaged, "the file has no root"};
    root = std::move(**described);
    std::string path = group;
    if (path.empty()) {
      Result<std::string> chosen = ownChoice();
      if (!chosen)
        return chosen.takeStatus();
      path = std::move(*chosen);
    }
    if (path.empty())
      return tensorAt(path, root);
    Result<std::optional<StoreNode>> node = store.describe(path);
    if (!node)
      return node.takeStatus();
    if (!*node)
      return Error{Error::MissingPart, "the file has no group or array '" + path + "'",
                   oneOfChildren(root)};
    return tensorAt(path, **node);
  }

private:
  static std::string listed(const std::vector<std::string> &names) {
    std::string text;
    constexpr size_t most = 20;
    for (size_t at = 0; at < std::min(names.size(), most); ++at)
      text += (at > 0 ? ", '" : "'") + names[at] + "'";
    return text + (names.size() > most ? ", ..." : "");
  }
  static std::string oneOfChildren(const StoreNode &node) {
    std::vector<std::string> names;
    for (const auto &[name, child] : node.children)
      names.push_back(name);
    return names.empty() ? "a group that is not empty" : "one of " + listed(names);
  }

  bool isAnnData() const {
    return root.text("encoding-type") == "anndata" || root.hasAll({"X", "obs", "var"});
  }
  static bool isTenX(const StoreNode &node) {
    return node.hasAll({"data", "indices", "indptr", "shape"});
  }
  static bool isMatlabVariable(const StoreNode &node) {
    return node.has("MATLAB_class") || node.has("MATLAB_sparse");
  }
  static bool isSparseGroup(const StoreNode &node) {
    return node.has("h5sparse_format") || node.text("encoding-type") == "csr_matrix" ||
           node.text("encoding-type") == "csc_matrix";
  }

  static bool isArrayOfNumbers(const StoreNode &node) {
    return !node.isGroup && node.type && *node.type != FileType::text &&
           node.text("MATLAB_class") != "char";
  }
  static bool saysTensor(const StoreNode &group) {
    return group.has(binsparseName) || isSparseGroup(group) || group.has("MATLAB_sparse");
  }

  /// Chooses what is read where nothing is named; empty: the root itself.
  Result<std::string> ownChoice() {
    if (root.has(binsparseName) || isSparseGroup(root) || isTenX(root) || !root.isGroup)
      return std::string();
    if (isAnnData())
      return std::string("X");
    std::vector<std::string> tensors, described;
    for (const auto &[name, child] : root.children) {
      if (child.isGroup && child.has(binsparseName))
        described.push_back(name);
      if (name.starts_with('#')) // MATLAB's own
        continue;
      Result<bool> isTensor = looksLikeTensor(name, child);
      if (!isTensor)
        return isTensor.takeStatus();
      if (*isTensor)
        tensors.push_back(name);
    }
    if (!described.empty())
      return described.front();
    if (tensors.size() == 1)
      return tensors.front();
    if (tensors.empty())
      return Error{Error::MissingPart,
                   "no group or array of the file is a tensor by what it says of itself",
                   "an array of numbers, AnnData's, 10x Genomics' or MATLAB's matrix, or a group "
                   "that has the attribute 'binsparse'"};
    return Error{Error::MissingPart, "the file has several tensors",
                 "FILE::NAME with one of " + listed(tensors)};
  }

  Result<bool> looksLikeTensor(const std::string &name, const StoreNode &child) {
    if (!child.isGroup)
      return isArrayOfNumbers(child);
    if (saysTensor(child))
      return true;
    Result<std::optional<StoreNode>> whole = store.describe(name);
    if (!whole)
      return whole.takeStatus();
    return *whole && isTenX(**whole);
  }

  Result<StoredTensor> tensorAt(const std::string &path, const StoreNode &node) {
    if (node.has(binsparseName))
      return StoredTensor{.kind = Kind::binsparse,
                          .format = "binsparse",
                          .path = path,
                          .text = node.text(binsparseName)};
    if (isMatlabVariable(node))
      return matlabVariable(path, node);
    if (!node.isGroup)
      return array(path, node);
    if (isSparseGroup(node))
      return compressed(path, node);
    if (isTenX(node))
      return tenX(path, node);
    const std::string kind = node.text("encoding-type");
    return Error{Error::MissingPart,
                 "the group '" + (path.empty() ? "/" : path) + "' is " +
                     (kind.empty() ? "no tensor" : "of the kind '" + kind + "', no tensor"),
                 oneOfChildren(node)};
  }

  /// Says why an array has no elements that can be read.
  static Error unreadable(const std::string &path, const StoreNode &node) {
    if (node.fault)
      return {node.fault->code, "'" + path + "' cannot be read: " + node.fault->message,
              node.fault->expected};
    return {Error::ElementType, "the elements of '" + path + "' are no numbers of a known type"};
  }

  Result<StoredTensor> array(const std::string &path, const StoreNode &node) {
    StoredTensor tensor{.format = isAnnData() ? "AnnData" : "arrays",
                        .header = path + ", an array",
                        .path = path,
                        .sizes = node.sizes,
                        .type = node.type};
    if (!node.type)
      return unreadable(path, node);
    return named(std::move(tensor));
  }

  /// AnnData's matrices, in its versions.
  Result<StoredTensor> compressed(const std::string &path, const StoreNode &node) {
    const bool old = node.has("h5sparse_format");
    const std::string kind = old ? node.text("h5sparse_format") : node.text("encoding-type");
    StoredTensor tensor{.kind = Kind::compressed,
                        .format = isAnnData() ? "AnnData" : "arrays",
                        .header = path + ", " + kind,
                        .path = path,
                        .byColumns = kind.starts_with("csc")};
    if (!kind.starts_with("csr") && !tensor.byColumns)
      return Error{Error::UnsupportedFile,
                   "the group '" + path + "' is a matrix of the kind '" + kind + "'", "csr or csc"};
    if (!takeSizes(tensor, node.numbers(old ? "h5sparse_shape" : "shape")))
      return Error{Error::Header, "the group '" + path + "' does not say the shape of its matrix",
                   "two sizes, the attribute 'shape'"};
    if (Status found = takeArrays(tensor, node, "indptr", "indices", "data"); !found.ok())
      return found;
    return named(std::move(tensor));
  }

  static Status takeArrays(StoredTensor &tensor, const StoreNode &node, const char *pointers,
                           const char *indices, const char *values) {
    for (const char *name : {pointers, indices, values})
      if (const StoreNode *child = node.child(name); !child || child->isGroup)
        return Error{Error::MissingPart,
                     "the group '" + (tensor.path.empty() ? "/" : tensor.path) +
                         "' has no array '" + name + "'",
                     "the pointers, indices and values of a matrix"};
    tensor.pointers = childPath(tensor.path, pointers);
    tensor.indices = childPath(tensor.path, indices);
    tensor.values = childPath(tensor.path, values);
    tensor.type = node.child(values)->type;
    return {};
  }

  /// Features by barcodes, as they are stored.
  Result<StoredTensor> tenX(const std::string &path, const StoreNode &node) {
    StoredTensor tensor{.kind = Kind::compressed,
                        .format = "10x Genomics",
                        .header = "features by barcodes",
                        .path = path,
                        .byColumns = true};
    const ArrayRequest shape{.path = childPath(path, "shape")};
    Result<std::vector<int64_t>> sizes = readIntegers(store, shape);
    if (!sizes)
      return sizes.takeStatus();
    if (!takeSizes(tensor, *sizes))
      return Error{Error::Inconsistent, "'" + shape.path + "' does not have the sizes of a matrix",
                   "two sizes"};
    if (Status found = takeArrays(tensor, node, "indptr", "indices", "data"); !found.ok())
      return found;
    const bool features = node.child("features") != nullptr;
    tensor.names = {features              ? childPath(path, "features/id")
                    : node.child("genes") ? childPath(path, "genes")
                                          : std::string(),
                    node.child("barcodes") ? childPath(path, "barcodes") : std::string()};
    return tensor;
  }

  Result<StoredTensor> matlabVariable(const std::string &path, const StoreNode &node) {
    const std::string &kind = node.text("MATLAB_class");
    StoredTensor tensor{
        .format = "MATLAB 7.3", .header = path + ", " + kind, .path = path, .reversed = true};
    if (kind == "char" || kind == "cell" || kind == "struct" || kind == "function_handle" ||
        (node.isGroup && !node.has("MATLAB_sparse")))
      return Error{Error::ElementType,
                   "the variable '" + path + "' is of MATLAB's class '" + kind + "'",
                   "numbers or logical values"};
    if (!node.isGroup)
      return matlabArray(std::move(tensor), node);
    tensor.kind = Kind::compressed;
    tensor.header += ", sparse";
    tensor.byColumns = true;
    const StoreNode *pointers = node.child("jc");
    const std::vector<int64_t> &rows = node.numbers("MATLAB_sparse");
    if (!pointers || pointers->sizes.size() != 1 || pointers->sizes[0] < 1 || rows.size() != 1)
      return Error{Error::Header,
                   "the variable '" + path + "' does not say the sizes of its matrix",
                   "the attribute 'MATLAB_sparse' and the array 'jc'"};
    tensor.sizes = {rows.front(), pointers->sizes[0] - 1};
    tensor.type = kind == "logical" ? FileType::boolean : FileType::float64;
    tensor.pointers = childPath(path, "jc");
    if (!node.child("ir") && !node.child("data"))
      return tensor; // without entries
    if (Status found = takeArrays(tensor, node, "jc", "ir", "data"); !found.ok())
      return found;
    if (kind == "logical")
      tensor.type = FileType::boolean;
    return tensor;
  }

  /// Returns the type of the elements of a class of MATLAB.
  static FileType typeOfClass(const std::string &kind) {
    if (kind == "logical")
      return FileType::boolean;
    if (kind == "single")
      return FileType::float32;
    for (int type = 0; type <= static_cast<int>(FileType::uint64); ++type)
      if (kind == fileTypeName(static_cast<FileType>(type)))
        return static_cast<FileType>(type);
    return FileType::float64;
  }

  Result<StoredTensor> matlabArray(StoredTensor tensor, const StoreNode &node) {
    if (!node.type)
      return unreadable(tensor.path, node);
    tensor.type = node.text("MATLAB_class") == "logical" ? FileType::boolean : node.type;
    tensor.sizes.assign(node.sizes.rbegin(), node.sizes.rend());
    if (!node.has("MATLAB_empty"))
      return tensor;
    // Of an empty one the array holds the sizes.
    Result<std::vector<int64_t>> sizes = readIntegers(store, {.path = tensor.path});
    if (!sizes)
      return sizes.takeStatus();
    if (productOf(*sizes) != 0)
      return Error{Error::Inconsistent,
                   "the variable '" + tensor.path + "' is empty, but none of its sizes is 0"};
    tensor.sizes = std::move(*sizes);
    tensor.type = typeOfClass(node.text("MATLAB_class"));
    return tensor;
  }

  /// Adds where AnnData has the names of the rows and columns.
  Result<StoredTensor> named(StoredTensor tensor) {
    if (!isAnnData())
      return tensor;
    const std::string &path = tensor.path;
    const bool raw = path.starts_with("raw/");
    const std::string part = path.substr(raw ? 4 : 0);
    std::vector<std::string> tables;
    if (part == "X" || part.starts_with("layers/"))
      tables = {"obs", raw ? "raw/var" : "var"};
    else if (part.starts_with("obsm/") || part.starts_with("obsp/"))
      tables = {"obs", part.starts_with("obsp/") ? "obs" : ""};
    else if (part.starts_with("varm/") || part.starts_with("varp/"))
      tables = {raw ? "raw/var" : "var", part.starts_with("varp/") ? "var" : ""};
    for (const std::string &table : tables) {
      std::string &names = tensor.names.emplace_back();
      if (table.empty())
        continue;
      Result<std::optional<StoreNode>> node = store.describe(table);
      if (!node)
        return node.takeStatus();
      if (!*node || !(*node)->isGroup)
        continue;
      const std::string &index = (*node)->text("_index");
      const StoreNode *array = (*node)->child(index.empty() ? "_index" : index);
      if (array && !array->isGroup && array->type == FileType::text)
        names = childPath(table, index.empty() ? "_index" : index);
    }
    return tensor;
  }

  ArrayStore &store;
  std::string group;
  StoreNode root;
  std::set<int64_t> listedGroups; ///< their places, by list()
  int described = 0;              ///< groups, by list()
};

} // namespace

Result<std::vector<std::string>> tensorsOf(ArrayStore &store) {
  std::vector<std::string> found;
  Status listed = TensorSearch(store, "").list("", found);
  return listed.ok() ? Result(std::move(found)) : Result<std::vector<std::string>>(listed.error());
}

Result<StoredTensor> findTensor(ArrayStore &store, const std::string &group) {
  return TensorSearch(store, group).run();
}

} // namespace strata::runtime
