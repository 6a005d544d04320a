#include <string>

#include <gtest/gtest.h>

#include "core/data_type.hpp"

namespace linchpin::core {
namespace {

TypeName with(const char* value) { return {.name = "register", .options = {{"initial", value}}}; }

TEST(TypeOptions, ReadsValues) {
  const auto value = [](const char* text) {
    const TypeName type = with(text);
    return TypeOptions(type).value("initial");
  };
  EXPECT_EQ(value("nil"), Value::nil());
  EXPECT_EQ(value("false"), Value::boolean(false));
  EXPECT_EQ(value("-7"), Value::integer(-7));
  EXPECT_EQ(value("1152921504606846975"), Value::integer((std::int64_t{1} << 60) - 1));
}

// A type has no pool of values that could hold what does not fit into one.
TEST(TypeOptions, RefusesWhatFitsIntoNoValue) {
  for (const char* const text : {"1152921504606846976", "9223372036854775807", "99999999999999999999", "red", ""}) {
    const TypeName type = with(text);
    TypeOptions options(type);
    EXPECT_EQ(options.value("initial"), std::nullopt) << text;
    const auto finished = options.finish("initial");
    ASSERT_FALSE(finished) << text;
    EXPECT_EQ(finished.error().code, ErrorCode::bad_option) << text;
  }
}

TEST(TypeOptions, RefusesWhatIsTooSmallAndWhatNobodyTakes) {
  const TypeName type{.name = "queue", .options = {{"capacity", "0"}, {"colour", "red"}}};
  TypeOptions small(type);
  EXPECT_EQ(small.integer("capacity", 1), std::nullopt);
  EXPECT_FALSE(small.finish("capacity"));
  TypeOptions large(type);
  EXPECT_EQ(large.integer("capacity", -3, -1), std::nullopt);
  EXPECT_EQ(large.finish("capacity").error().hint, "give an integer of at least -3, and at most -1");
  TypeOptions other(type);
  EXPECT_EQ(other.integer("capacity", 0), 0);
  const auto finished = other.finish("capacity");
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().message, "type queue has no option 'colour'");
}

}  // namespace
}  // namespace linchpin::core
