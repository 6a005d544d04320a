// The random generators that the deciders are held against each other with draw every method of every type, with an
// answer that some state gives: a decider that is wrong about a method is only noticed where the method occurs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "cross/drafts.hpp"
#include "cross/labels.hpp"
#include "cross/random_history.hpp"
#include "cross/type_variants.hpp"
#include "history/subhistory.hpp"
#include "reference/reference.hpp"

namespace linchpin::cross {
namespace {

constexpr int kMostHistories = 4000;  // a method that so many lack is never drawn

class Draws : public testing::TestWithParam<std::string> {};

/// Methods of completed operations with known results, in linearizable histories.
TEST_P(Draws, RandomHistories_HaveEveryMethod) {
  const auto specification = *make_specification(*TypeName::parse(GetParam()));
  RandomHistories histories(*specification, {.pending = 0, .unknown = 0, .spoiled = 0}, 1);
  std::set<std::string_view> lacking;
  for (const Method& method : specification->methods()) lacking.insert(method.name);
  for (int i = 0; i < kMostHistories && !lacking.empty(); ++i) {
    const History history = histories.next();
    const std::array specifications{specification};
    const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
    ASSERT_TRUE(parts);
    if (!reference::linearizable((*parts)[0])) continue;
    for (OperationIndex k = 0; k < history.size(); ++k) {
      if (!history.result(k).is_unknown()) lacking.erase(history.method_name(history.method(k)));
    }
  }
  EXPECT_THAT(lacking, testing::IsEmpty());
}

/// The labels from which the fuzz target of the deciders and the exhaustive tests draw.
TEST_P(Draws, Labels_HaveEveryMethod) {
  const auto type = *TypeName::parse(GetParam());
  if (!has_small_labels(type.name)) GTEST_SKIP() << "integers and short lists do not show what it does";
  const auto specification = *make_specification(type);
  std::set<std::string_view> lacking;
  for (const Method& method : specification->methods()) lacking.insert(method.name);
  for (const Label& label : small_labels(*specification, 24).list) lacking.erase(label.method);
  EXPECT_THAT(lacking, testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Types, Draws, testing::ValuesIn(type_variants()), variant_name);

/// What the monitors are held against the search on, one type's subjects together.
TEST(Drafts, HaveEveryMethodOfTheirTypes) {
  std::map<std::string_view, std::set<std::string_view>> lacking;  // by the type without its options
  for (const Subject& subject : monitored_subjects()) {
    const auto type = *TypeName::parse(subject.type);
    const auto specification = *make_specification(type);
    const std::string_view name = core::find_data_type(type.name)->name;
    const auto [of_type, first] = lacking.try_emplace(name);
    if (first) {
      for (const Method& method : specification->methods()) of_type->second.insert(method.name);
    }
    test::Random random(1);
    for (int history = 0; history < 300; ++history) {
      const test::Drafter drafter = subject.start(random);
      for (int i = 0; i < 30; ++i) of_type->second.erase(specification->methods()[drafter(random).method].name);
    }
  }
  // A sketch holds inline values only, no texts and no lists. The generators above draw these.
  const std::map<std::string_view, std::set<std::string_view>> held_elsewhere{
      {"map", {"append"}}, {"log", {"put", "read"}}, {"set", {"read"}}};
  for (auto& [type, methods] : lacking) {
    const auto found = held_elsewhere.find(type);
    EXPECT_EQ(methods, found == held_elsewhere.end() ? std::set<std::string_view>{} : found->second) << type;
  }
}

}  // namespace
}  // namespace linchpin::cross
