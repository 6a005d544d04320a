// A data type as the registry holds it: a row of src/types/registry.cpp.
#pragma once

#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::core {

/// The options of a type, taken one by one; what is left at the end is an error.
class TypeOptions {
 public:
  explicit TypeOptions(const TypeName& type) : type_(type), taken_(type.options.size(), false) {}

  /// The option's value, or nothing when it is not given. The last one wins.
  std::optional<std::string_view> text(std::string_view option);
  /// One of `choices`; the first when not given. Remembers an error for `finish`.
  std::string_view choice(std::string_view option, std::initializer_list<std::string_view> choices);
  /// An integer; remembers an error for `finish` when it is none, below `least`, or above `most`.
  std::optional<std::int64_t> integer(std::string_view option, std::int64_t least = INT64_MIN,
                                      std::int64_t most = INT64_MAX);
  /// A value: nil, true, false or an integer. Remembers an error for anything else.
  std::optional<Value> value(std::string_view option);

  /// Values in brackets, such as [1,2,true]: integers, true or false; none when not given. Remembers an error for
  /// `finish` for anything else.
  std::vector<Value> values(std::string_view option);

  /// bad_option: a value that does not fit, or an option that the type does not have.
  [[nodiscard]] Result<void> finish(std::string_view known_options) const;

 private:
  const TypeName& type_;
  std::vector<bool> taken_;
  std::optional<Error> error_;
};

struct DataType {
  std::string_view name;     ///< the field's usual name
  std::string_view aliases;  ///< separated by blanks
  std::string_view summary;  ///< one line
  std::string_view options;  ///< "name=meaning; name=meaning", empty when there are none
  /// The specification with the given options.
  Result<std::shared_ptr<const Specification>> (*make)(const TypeName& type);
  /// The option that names the state to start in; empty where no option does.
  std::string_view start_option = {};
  /// That option's value for a state, given as the specification describes it; empty: the state without the option.
  /// Not every state has one: what is made with it says whether it starts there.
  std::string (*start_value)(std::string_view state) = nullptr;
  /// The option that lists what is inside at first where its order is not known; empty where no option does.
  std::string_view unordered_option = {};
  /// Of containers whose start option lists values: the row of the method that puts such a value in.
  std::optional<std::uint16_t> inserts = std::nullopt;
  /// Of transactions: which parts of them may be left out. Null: none.
  const Parts* parts = nullptr;
};

/// Every data type, in the order in which they are listed.
[[nodiscard]] std::span<const DataType> data_types();
/// By name or alias, without regard to case, '-' and '_'.
[[nodiscard]] const DataType* find_data_type(std::string_view name);

/// A row, and the name with options that it made a specification by.
struct MadeBy {
  const DataType* data_type;
  TypeName type;
};
/// Nothing where no row made it: a type of the user's own may have the name of one of ours.
[[nodiscard]] std::optional<MadeBy> made_by(const Specification& specification);

}  // namespace linchpin::core
