// Values that stand for nothing, answers that are missing, and answers that never came: one meaning in all types and
// for all deciders.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/data_type.hpp"
#include "core/decider.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "support/held.hpp"

namespace linchpin {
namespace {

namespace fs = std::filesystem;

/// The only history of a file with this content.
Result<History> written(const std::string& name, const std::string& text) {
  const fs::path folder =
      fs::temp_directory_path() / ("linchpin-odd-" + std::to_string(std::hash<std::string>{}(text)));
  fs::create_directories(folder);
  std::ofstream(folder / name) << text;
  auto histories = read_histories((folder / name).string(), {});
  fs::remove_all(folder);
  if (!histories) return histories.error();
  return std::move((*histories)[0]);
}

Result<History> native(const std::string& type, const std::string& operations) {
  return written("history.txt", "# linchpin 1\n# type: " + type + "\n" + operations);
}

Verdict verdict_of(const History& history, const std::string& decider = "") {
  CheckOptions options;
  options.verify = Verify::thoroughly;
  options.decider = decider;
  const auto checked = check(history, options);
  EXPECT_TRUE(checked) << checked.error().to_string();
  if (!checked) return Verdict::unknown;
  const ObjectVerdict& object = checked->objects[0];
  EXPECT_EQ(test::what_did_not_hold(object), "");
  return checked->verdict;
}

Verdict verdict_of(const std::string& type, const std::string& operations, const std::string& decider = "") {
  const auto history = native(type, operations);
  EXPECT_TRUE(history) << history.error().to_string();
  return history ? verdict_of(*history, decider) : Verdict::unknown;
}

/// What check says is wrong with a pending operation, which stands in line 3; empty: nothing.
std::string fault_of(const std::string& type, const std::string& operation) {
  const auto history = native(type, "1 3 - " + operation + "\n");
  EXPECT_TRUE(history) << history.error().to_string();
  if (!history) return "";
  const auto checked = check(*history, {});
  if (checked) return "";
  EXPECT_EQ(checked.error().code, ErrorCode::bad_arguments);
  EXPECT_EQ(checked.error().line, 3U);
  EXPECT_NE(checked.error().hint, "");
  return checked.error().message;
}

TEST(NilAndNone, CannotBePutWhereNilSaysThatNothingIsThere) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> puts = {
      {"queue", {"enqueue"}},
      {"queue capacity=2", {"enqueue"}},
      {"stack", {"push"}},
      {"stack heights=before", {"push"}},
      {"deque", {"push_front", "push_back"}},
      {"deque capacity=2", {"push_front", "push_back"}},
      {"priority-queue", {"insert"}},
      {"priority-queue ties=fifo", {"insert"}},
      {"priority-queue capacity=2", {"insert"}},
      {"bag", {"add"}},
      {"log", {"append"}},
      {"ArrayBlockingQueue capacity=2", {"add", "offer", "put"}},
      {"LinkedBlockingQueue", {"add", "offer", "put"}},
      {"ConcurrentLinkedQueue", {"add", "offer"}},
      {"LinkedTransferQueue", {"add", "offer", "put"}},
      {"LinkedBlockingDeque",
       {"add", "offer", "put", "addFirst", "addLast", "offerFirst", "offerLast", "putFirst", "putLast"}},
      {"ConcurrentLinkedDeque", {"add", "addFirst", "addLast", "offerFirst", "offerLast"}},
      {"PriorityBlockingQueue", {"add", "offer", "put"}},
      {"ConcurrentSkipListSet", {"add"}},
      {"ConcurrentHashMap", {"put 1", "putIfAbsent 1", "replace 1", "replace 1 2"}},
      {"ConcurrentSkipListMap", {"put 1", "putIfAbsent 1", "replace 1", "replace 1 2"}},
  };
  for (const auto& [type, methods] : puts) {
    for (const std::string& method : methods) {
      EXPECT_NE(fault_of(type, method + " nil").find("nil is the answer when nothing is there"), std::string::npos)
          << type << " " << method;
      EXPECT_NE(fault_of(type, method + " none").find("none stands for"), std::string::npos) << type << " " << method;
      EXPECT_EQ(fault_of(type, method + " 5"), "") << type << " " << method;
    }
  }
  for (const std::string type : {"LinkedBlockingDeque", "PriorityBlockingQueue", "ConcurrentSkipListSet"}) {
    EXPECT_NE(fault_of(type, "addAll [1 nil]"), "") << type;
    EXPECT_NE(fault_of(type, "addAll [none]"), "") << type;
    EXPECT_EQ(fault_of(type, "removeAll [1 nil]"), "") << type;
  }
  EXPECT_NE(fault_of("ConcurrentSkipListMap", "put nil 1"), "");
  EXPECT_NE(fault_of("ConcurrentHashMap", "putAll [[1 2] [3 nil]]"), "");
  EXPECT_NE(fault_of("log", "put [1 nil]"), "");
}

TEST(NilAndNone, MayBeWhatTheyAreElsewhere) {
  for (const std::string method : {"add nil", "remove nil", "contains nil"}) EXPECT_EQ(fault_of("set", method), "");
  EXPECT_EQ(fault_of("bag", "contains nil"), "");
  EXPECT_EQ(fault_of("register", "write nil"), "");
  EXPECT_EQ(fault_of("map", "put 1 nil"), "");
  EXPECT_EQ(fault_of("array", "write nil nil"), "");
  EXPECT_EQ(fault_of("priority-queue", "insert 1 nil"), "");
}

TEST(NilAndNone, NoneIsNoArgumentOfAnyMethod) {
  for (const core::DataType& type : core::data_types()) {
    const auto specification = make_specification({.name = std::string(type.name), .options = {}});
    ASSERT_TRUE(specification);
    for (const Method& method : (*specification)->methods()) {
      for (int count = std::max<int>(1, method.least); count <= method.most; ++count) {
        std::string operation(method.name);
        for (int k = 0; k < count; ++k) operation += " none";
        EXPECT_NE(fault_of(std::string(type.name), operation), "") << type.name << " " << operation;
      }
    }
  }
  EXPECT_NE(fault_of("multi-register", "txn [[write 1 none]]"), "");
  EXPECT_NE(fault_of("priority-queue", "insert 1 none"), "");
}

/// Methods whose result is looked at, with as many arguments as they may have.
std::string call_of(const Method& method) {
  std::string operation(method.name);
  for (int k = 0; k < method.most; ++k) operation += " " + std::to_string(k + 1);
  return operation;
}

// `[1 ?]` is no list among others: a type that cannot tell what was lost of it refuses the history.
TEST(LostResult, IsLostAsAWhole) {
  for (const core::DataType& type : core::data_types()) {
    if (type.name == "multi-register" || type.name == "list-append") continue;  // below
    const auto specification = make_specification({.name = std::string(type.name), .options = {}});
    ASSERT_TRUE(specification);
    for (const Method& method : (*specification)->methods()) {
      for (const std::string result : {"[1 ?]", "[?]", "[1 [2 [?]]]", "[[read 1 ?]]"}) {
        const std::string operation = call_of(method) + " -> " + result;
        const auto history = native(std::string(type.name), "1 3 4 " + operation + "\n");
        ASSERT_TRUE(history) << history.error().to_string();
        const auto checked = check(*history, {});
        ASSERT_FALSE(checked) << type.name << " " << operation;
        EXPECT_EQ(checked.error().code, ErrorCode::bad_arguments) << type.name << " " << operation;
        EXPECT_EQ(checked.error().line, 3U) << type.name << " " << operation;
      }
      const auto whole = native(std::string(type.name), "1 3 4 " + call_of(method) + " -> ?\n");
      ASSERT_TRUE(whole) << whole.error().to_string();
      const auto checked = check(*whole, {});  // refused at most for its arguments
      EXPECT_TRUE(checked || checked.error().message.find("'?'") == std::string::npos) << checked.error().to_string();
    }
  }
  EXPECT_EQ(verdict_of("queue", "1 1 2 enqueue [1 2]\n1 3 4 dequeue -> [1 2]\n"), Verdict::linearizable);
}

TEST(LostResult, OfATransactionMayBeLostInPart) {
  const std::string writes = "1 1 2 txn [[write 1 2]]\n";
  const auto reads = [&](const std::string& result) { return writes + "1 3 4 txn [[read 1] [read 2]] -> " + result; };
  EXPECT_EQ(verdict_of("multi-register", reads("[? [read 2 5]]\n")), Verdict::linearizable);
  EXPECT_EQ(verdict_of("multi-register", reads("[[read 1 ?] [read 2 5]]\n")), Verdict::linearizable);
  EXPECT_EQ(verdict_of("multi-register", reads("[[read 1 3] [read 2 ?]]\n")), Verdict::violation);
  EXPECT_EQ(verdict_of("multi-register", reads("[[read 1 3] ?]\n")), Verdict::violation);
  // One that never returned: what is promised of it holds only where it takes effect.
  const std::string begins = "1 1 - txn [[read 2] [write 1 2]] -> [";
  EXPECT_EQ(verdict_of("multi-register", begins + "? [write 1 2]]\n2 3 4 txn [[read 1]] -> [[read 1 2]]\n"),
            Verdict::linearizable);
  EXPECT_EQ(verdict_of("multi-register", begins + "[read 2 ?] ?]\n2 3 4 txn [[read 1]] -> [[read 1 3]]\n"),
            Verdict::linearizable);  // it may never have happened
  EXPECT_EQ(verdict_of("multi-register initial=0", begins + "[read 2 7] ?]\n2 3 4 txn [[read 1]] -> [[read 1 2]]\n"),
            Verdict::violation);
  EXPECT_EQ(verdict_of("multi-register initial=0", begins + "[read 2 ?] ?]\n2 3 4 txn [[read 1]] -> [[read 1 2]]\n"),
            Verdict::linearizable);
  for (const std::string part :
       {"[read 1 [3 ?]]", "[read ? 3]", "[read [?] 3]", "[write 1 ?]", "[?]", "[read]", "[[?]]"}) {
    const auto history = native("multi-register", reads("[" + part + " ?]\n"));
    ASSERT_TRUE(history) << history.error().to_string();
    const auto checked = check(*history, {});
    if (part == "[read]") continue;  // not what was asked: a violation, but nothing that is lost
    ASSERT_FALSE(checked) << part;
    EXPECT_EQ(checked.error().line, 4U) << part;
  }
}

TEST(NilAndNone, AreRefusedInEveryFormat) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"h.jsonl",
       "{\"linchpin\": 1, \"type\": \"queue\"}\n{\"process\": 0, \"call\": 1, \"response\": 2, \"method\": "
       "\"enqueue\", "
       "\"arguments\": [null]}\n"},
      {"h.edn",
       "{:type :invoke, :f :enqueue, :value nil, :process 0}\n{:type :ok, :f :enqueue, :value nil, :process 0}\n"}};
  for (const auto& [name, text] : files) {
    const auto history = written(name, text);
    ASSERT_TRUE(history) << name << ": " << history.error().to_string();
    CheckOptions options;
    options.type = TypeName::parse("queue").value();
    const auto checked = check(*history, options);
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().code, ErrorCode::bad_arguments) << name;
    EXPECT_GT(checked.error().line, 0U) << name;
  }
}

TEST(NilAndNone, AnEmptyAnswerIsRead) {
  EXPECT_EQ(verdict_of("queue", "0 1 2 enqueue 1\n0 3 4 dequeue -> 1\n0 5 6 dequeue -> nil\n0 7 8 peek -> nil\n"),
            Verdict::linearizable);
  EXPECT_EQ(verdict_of("queue", "0 1 2 enqueue 1\n0 3 4 dequeue -> nil\n"), Verdict::violation);
}

/// No state answers nothing where there is something to say.
TEST(MissingAnswers, AreLegalNowhere) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> answers = {
      {"register", {"read"}},
      {"register initial=undefined", {"read"}},
      {"cas-register", {"read", "compare_exchange 1 2"}},
      {"cas-register initial=undefined", {"read"}},
      {"rmw", {"read", "rmw 1"}},
      {"array", {"read 1"}},
      {"map", {"get 1", "contains 1", "size", "is_empty"}},
      {"queue", {"dequeue", "peek", "size", "is_empty"}},
      {"stack", {"pop", "peek", "size", "is_empty"}},
      {"deque", {"pop_front", "pop_back", "peek_front", "peek_back", "size", "is_empty"}},
      {"priority-queue", {"poll", "peek", "size", "is_empty"}},
      {"set", {"contains 1", "read", "size", "is_empty"}},
      {"bag", {"take", "contains 1", "size", "is_empty"}},
      {"mutex", {"is_held"}},
      {"semaphore", {"count"}},
      {"counter", {"read", "fetch_and_add 1", "add_and_get 1"}},
      {"log", {"read", "get 0", "length"}},
  };
  for (const auto& [type, methods] : answers) {
    for (const std::string& method : methods) {
      const auto history = native(type, "0 1 2 " + method + "\n");
      ASSERT_TRUE(history);
      EXPECT_EQ(verdict_of(*history), Verdict::violation) << type << " " << method;
      for (const std::span<const core::Decider> list : {core::monitors(), core::lifts()}) {
        for (const core::Decider& decider : list) {
          CheckOptions options;
          options.decider = decider.name;
          const auto checked = check(*history, options);
          ASSERT_TRUE(checked);
          EXPECT_NE(checked->verdict, Verdict::linearizable) << decider.name << " on " << type << " " << method;
        }
      }
    }
  }
  // Lost is another thing.
  EXPECT_EQ(verdict_of("register", "0 1 2 read -> ?\n"), Verdict::linearizable);
  EXPECT_EQ(verdict_of("queue", "0 1 2 dequeue -> ?\n"), Verdict::linearizable);
}

TEST(MissingAnswers, AreTheWholeCore) {
  const auto history = native("queue", "0 1 2 enqueue 1 -> nil\n0 3 4 dequeue -> 1\n0 5 6 peek\n");
  ASSERT_TRUE(history);
  CheckOptions options;
  options.verify = Verify::thoroughly;
  const auto checked = check(*history, options);
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->verdict, Verdict::violation);
  EXPECT_EQ(checked->objects[0].core_checked, true);
  EXPECT_EQ(checked->objects[0].violation->core, (std::vector<OperationIndex>{2}));
}

TEST(Promises, ThatNoStateCanKeepDidNotHappen) {
  EXPECT_EQ(verdict_of("map", "0 1 - put_if_absent 1 1 -> 7\n1 5 6 contains 1 -> true\n"), Verdict::violation);
  EXPECT_EQ(verdict_of("map", "0 1 2 put_if_absent 1 1 -> true\n1 3 - remove 1 -> 7\n2 5 6 contains 1 -> false\n"),
            Verdict::violation);
  EXPECT_EQ(verdict_of("map", "0 1 2 put 1 7\n1 3 - remove 1 -> 7\n2 5 6 contains 1 -> false\n"),
            Verdict::linearizable);
  EXPECT_EQ(verdict_of("queue", "0 1 2 enqueue 1\n1 3 - dequeue -> 7\n2 4 5 dequeue -> nil\n"), Verdict::violation);
  EXPECT_EQ(verdict_of("queue", "0 1 2 enqueue 1\n1 3 - dequeue -> 1\n2 4 5 dequeue -> nil\n"), Verdict::linearizable);
  EXPECT_EQ(verdict_of("queue", "0 1 - dequeue -> 7\n"), Verdict::linearizable);
}

TEST(LostResults, OfTransactionsFreeTheirReads) {
  EXPECT_EQ(verdict_of("multi-register initial=0", "0 1 2 txn [[write 1 2] [read 1 0]] -> [[write 1 2] [read 1 2]]\n"),
            Verdict::linearizable);
  EXPECT_EQ(verdict_of("multi-register initial=0", "0 1 2 txn [[write 1 2] [read 1 0]] -> ?\n"), Verdict::linearizable);
  EXPECT_EQ(verdict_of("multi-register initial=0", "0 1 2 txn [[write 1 2] [read 1 0]] -> [[write 1 2] [read 1 ?]]\n"),
            Verdict::linearizable);
  EXPECT_EQ(verdict_of("multi-register initial=0", "0 1 2 txn [[write 1 2] [read 1 0]] -> [[write 1 2] ?]\n"),
            Verdict::linearizable);
  // What was written is not lost.
  EXPECT_EQ(verdict_of("multi-register initial=0",
                       "0 1 2 txn [[write 1 2] [read 1 0]] -> ?\n0 3 4 txn [[read 1 nil]] -> [[read 1 0]]\n"),
            Verdict::violation);
  // A bare acknowledgement says that the list itself is complete.
  EXPECT_EQ(verdict_of("multi-register initial=0", "0 1 2 txn [[write 1 2] [read 1 0]]\n"), Verdict::violation);
  EXPECT_EQ(verdict_of("multi-register initial=0", "0 1 2 txn [[read 1 nil]] -> [[read 1 none]]\n"),
            Verdict::violation);
}

}  // namespace
}  // namespace linchpin
