// Sample operations of every data type for contract_test.cpp, written in the native notation.
//
// `results` holds every result that the method can legally give in the states that are explored (kMostStates bounds
// how much can pile up), because unknown results are compared with the union of all others.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace linchpin::types {

inline constexpr std::size_t kMostStates = 100;

struct SampleMethod {
  std::string method;
  std::vector<std::string> arguments;  // lists of arguments, blanks between
  std::string results;
};

struct Sample {
  std::string type;
  std::vector<SampleMethod> methods;
  bool complete_results = true;  // see above
};

/// So that what a test is called does not change from run to run.
inline void PrintTo(const Sample* sample, std::ostream* out) { *out << sample->type; }

/// "first second ... last"
inline std::string numbers(int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i) text += std::to_string(i) + " ";
  return text;
}

/// Every list of up to `most` of 1 and 2: "[] [1] [2] [1 1] ..."
inline std::string lists(std::size_t most) {
  std::vector<std::string> all = {""};
  std::string text = "[] ";
  for (std::size_t begin = 0, length = 1; length <= most; ++length) {
    const std::size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const char* element : {"1 ", "2 "}) {
        all.push_back(all[begin] + element);
        text += "[" + all.back() + "] ";
      }
    }
  }
  return text;
}

/// Every text of up to `most` of a and b: "\"\" a b aa ..."
inline std::string texts(std::size_t most) {
  std::vector<std::string> all = {""};
  std::string text = "\"\" ";
  for (std::size_t begin = 0, length = 1; length <= most; ++length) {
    const std::size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const char letter : {'a', 'b'}) {
        all.push_back(all[begin] + letter);
        text += all.back() + " ";
      }
    }
  }
  return text;
}

/// "[v h]" for v of 1 and 2 and h below 10
inline std::string pairs() {
  std::string text;
  for (const char* value : {"1", "2"}) {
    for (int height = 0; height < 10; ++height) text += std::string("[") + value + " " + std::to_string(height) + "] ";
  }
  return text;
}

/// The lists of up to `most` of 1 and 2 as Java prints them: "\"[]\" \"[1]\" \"[1, 2]\" ..."
inline std::string printed_lists(std::size_t most) {
  std::vector<std::string> all = {""};
  std::string text = "\"[]\" ";
  for (std::size_t begin = 0, length = 1; length <= most; ++length) {
    const std::size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const char* element : {"1", "2"}) {
        all.push_back(all[begin] + (all[begin].empty() ? "" : ", ") + element);
        text += "\"[" + all.back() + "]\" ";
      }
    }
  }
  return text;
}

[[nodiscard]] inline std::vector<Sample> java_samples() {
  const std::string answer = "true false java.lang.IllegalStateException";
  const std::string element = "nil 1 2 3 java.util.NoSuchElementException true false";
  std::vector<SampleMethod> queue{{"add", {"1", "2"}, answer},
                                  {"offer", {"1", "2"}, answer},
                                  {"put", {"1"}, "none true"},
                                  {"poll", {""}, element},
                                  {"take", {""}, element},
                                  {"remove", {"", "1", "2"}, element},
                                  {"peek", {""}, element},
                                  {"element", {""}, element},
                                  {"contains", {"1", "3"}, "true false"},
                                  {"size", {""}, numbers(0, 9)},
                                  {"isEmpty", {""}, "true false"},
                                  {"remainingCapacity", {""}, numbers(0, 4) + " 2147483647"},
                                  {"toArray", {""}, printed_lists(8)},
                                  {"toString", {""}, printed_lists(8)},
                                  {"clear", {""}, "none"},
                                  {"addAll", {"[1 2]", "[]"}, answer},
                                  {"removeAll", {"[1]", "[]"}, answer},
                                  {"retainAll", {"[2]", "[]"}, answer},
                                  {"containsAll", {"[1 2]", "[]"}, answer}};
  const std::vector<SampleMethod> heap = queue;
  std::vector<SampleMethod> deque = queue;
  for (const char* method : {"addFirst", "addLast", "offerFirst", "offerLast", "putFirst", "putLast"}) {
    deque.push_back({method, {"1", "2"}, answer + " none"});
  }
  for (const char* method : {"pollFirst", "pollLast", "removeFirst", "removeLast", "takeFirst", "takeLast", "peekFirst",
                             "peekLast", "getFirst", "getLast"}) {
    deque.push_back({method, {""}, element});
  }
  for (const char* method : {"removeFirstOccurrence", "removeLastOccurrence"}) {
    deque.push_back({method, {"1", "2"}, answer});
  }
  std::vector<SampleMethod> set{{"add", {"1", "2"}, answer},
                                {"remove", {"1", "2"}, answer},
                                {"contains", {"1", "2"}, answer},
                                {"isEmpty", {""}, answer},
                                {"size", {""}, "0 1 2"},
                                {"clear", {""}, "none"},
                                {"addAll", {"[2 1]", "[]"}, answer},
                                {"removeAll", {"[1]", "[]"}, answer},
                                {"retainAll", {"[2]", "[]"}, answer},
                                {"containsAll", {"[1 2]", "[]"}, answer},
                                {"toArray", {""}, printed_lists(2)},
                                {"toString", {""}, printed_lists(2)}};
  for (const char* method : {"pollFirst", "pollLast", "first", "last"}) set.push_back({method, {""}, element});
  for (const char* method : {"lower", "floor", "ceiling", "higher"}) set.push_back({method, {"0", "1", "2"}, element});
  for (const char* method : {"headSet", "tailSet"}) set.push_back({method, {"0", "1", "2"}, printed_lists(2)});
  const std::string entries =
      "\"[]\" \"[1=1]\" \"[1=2]\" \"[2=1]\" \"[2=2]\" \"[1=1, 2=1]\" \"[1=1, 2=2]\" "
      "\"[1=2, 2=1]\" \"[1=2, 2=2]\" ";
  std::string braces = entries;
  for (char& c : braces) c = c == '[' ? '{' : c == ']' ? '}' : c;
  const std::string previous = "nil 1 2 3 true false";
  std::vector<SampleMethod> map{{"get", {"1", "2", "3"}, previous},
                                {"put", {"1 1", "1 2", "2 1", "2 2"}, previous},
                                {"putIfAbsent", {"1 2", "2 1"}, previous},
                                {"remove", {"1", "2", "1 2", "2 1"}, previous},
                                {"replace", {"1 1", "2 2", "1 1 2", "2 2 1", "1 1 1"}, previous},
                                {"containsKey", {"1", "2", "3"}, previous},
                                {"containsValue", {"1", "2", "3"}, previous},
                                {"size", {""}, "0 1 2"},
                                {"isEmpty", {""}, previous},
                                {"keySet", {""}, printed_lists(2)},
                                {"values", {""}, printed_lists(2)},
                                {"entrySet", {""}, entries},
                                {"toString", {""}, braces},
                                {"clear", {""}, "none"},
                                {"putAll", {"[[1 2] [2 1]]", "[]"}, "none"}};
  std::vector<SampleMethod> sorted_map = map;
  for (const char* method : {"firstKey", "lastKey"}) sorted_map.push_back({method, {""}, element});
  for (const char* method : {"lowerKey", "floorKey", "ceilingKey", "higherKey"}) {
    sorted_map.push_back({method, {"0", "1", "2"}, element});
  }
  for (const char* method : {"pollFirstEntry", "pollLastEntry"}) {
    sorted_map.push_back({method, {""}, "nil \"1=1\" \"1=2\" \"2=1\" \"2=2\""});
  }
  for (const char* method : {"headMap", "tailMap"}) sorted_map.push_back({method, {"0", "1", "2"}, braces});
  return {{"ArrayBlockingQueue capacity=3", queue},
          {"LinkedBlockingQueue capacity=2", queue},
          {"ConcurrentLinkedQueue capacity=3", queue},
          {"LinkedTransferQueue capacity=3", queue},
          {"LinkedBlockingDeque capacity=3", deque},
          {"ConcurrentLinkedDeque capacity=2", deque},
          {"PriorityBlockingQueue", heap, false},
          {"ConcurrentSkipListSet", set},
          {"ConcurrentHashMap", map},
          {"ConcurrentSkipListMap", sorted_map}};
}

[[nodiscard]] inline std::vector<Sample> contract_samples() {
  const std::string done = "none nil true false ok 1 2 ";
  const std::string small = numbers(0, 9);
  const std::string maybe = "nil 1 2 3 none true false ";
  const std::vector<SampleMethod> queue{{"enqueue", {"1", "2", "3"}, done},
                                        {"dequeue", {""}, maybe},
                                        {"peek", {""}, maybe},
                                        {"size", {""}, small},
                                        {"is_empty", {""}, "true false"}};
  const auto stack = [&](const std::string& heights, const std::string& popped) {
    return std::vector<SampleMethod>{{"push", {"1"}, "none nil true false ok 1 " + heights},
                                     {"push", {"2"}, "none nil true false ok 2 " + heights},
                                     {"pop", {""}, popped},
                                     {"peek", {""}, maybe},
                                     {"size", {""}, small},
                                     {"is_empty", {""}, "true false"}};
  };
  const std::vector<SampleMethod> deque{{"push_front", {"1", "2"}, done},
                                        {"push_back", {"1", "2"}, done},
                                        {"pop_front", {""}, maybe},
                                        {"pop_back", {""}, maybe},
                                        {"peek_front", {""}, maybe},
                                        {"peek_back", {""}, maybe},
                                        {"size", {""}, small},
                                        {"is_empty", {""}, "true false"}};
  const std::vector<SampleMethod> priority_queue{{"insert", {"1", "2", "1 7", "2 7", "3 7", "3 \"a\""}, done},
                                                 {"poll", {""}, maybe},
                                                 {"peek", {""}, maybe},
                                                 {"size", {""}, numbers(0, 20)},
                                                 {"is_empty", {""}, "true false"}};
  const std::vector<SampleMethod> cas_register{
      {"write", {"1", "2", "3", "nil"}, done},
      {"read", {""}, "nil 1 2 3 4"},
      {"cas", {"1 2", "2 1", "1 1", "nil 3", "3 4"}, "none nil true false ok 1 2"},
      {"compare_exchange", {"1 2", "2 1", "1 1", "nil 3", "3 4"}, "nil 1 2 3 4"}};
  const std::vector<SampleMethod> map{
      {"get", {"1", "2"}, "nil true false " + texts(7)},
      {"put", {"1 a", "2 a", "1 b", "1 \"\"", "2 nil", "2 true", "2 false"}, "none nil true false ok " + texts(7)},
      {"append", {"1 a", "2 b", "1 \"\""}, "none nil true ok a 1"},
      {"remove", {"1", "2"}, "none nil true false ok " + texts(7)},
      {"cas", {"1 a b", "2 nil a", "1 a a", "1 b nil", "1 \"\" a", "2 true false"}, "none nil true false ok 1 a"},
      {"put_if_absent", {"1 a", "2 b", "1 nil", "2 true"}, "none nil true false ok " + texts(7)},
      {"replace",
       {"1 b", "1 a b", "2 nil a", "1 a a", "2 a", "2 false", "2 nil true"},
       "none nil true false ok " + texts(7)},
      {"contains", {"1", "2"}, "true false"},
      {"size", {""}, "0 1 2"},
      {"is_empty", {""}, "true false"},
      {"clear", {""}, "none true"}};
  const std::vector<SampleMethod> multi_register{
      {"txn",
       {"[[read 1 nil]]", "[[write 1 5]]", "[[r 1] [w 1 6]]", "[[w 2 5] [r 1]]", "[[read 1 5] [write 1 5]]", "[]"},
       "none [[read 1 5]] [[read 1 6]] [[read 1 nil]] [[read 1 0]] [[write 1 5]] [[r 1 5] [w 1 6]] [[r 1 6] [w 1 6]] "
       "[[w 2 5] [r 1 5]] [[w 2 5] [r 1 6]] [[read 1 5] [write 1 5]] [[read 1 ?] [write 1 5]] []"}};
  const std::vector<SampleMethod> versioned_registers{
      {"txn",
       {"[[read 1]]", "[[write 1 5]]", "[[write 1 5 7]]", "[[r 1] [w 1 6]]", "[[w 2 5] [r 1]]", "[]"},
       "none [[read 1 5]] [[read 1 5 7]] [[read 1 nil 3]] [[read 1 6 8]] [[read 1 ? ?]] [[write 1 5 3]] [[write 1 5 "
       "7]] "
       "[[r 1 5 7] [w 1 6 8]] [[r 1 6] [w 1 6 8]] [[w 2 5 3] [r 1 6 8]] []"}};
  const std::vector<SampleMethod> list_append{
      {"txn",
       {"[[r 1 nil]]", "[[append 1 5]]", "[[r 1] [append 1 6]]", "[[append 2 5] [r 1]]", "[[r 1 [5]] [append 1 5]]",
        "[]"},
       "none false [[r 1 nil]] [[r 1 []]] [[r 1 [5]]] [[r 1 [6]]] [[r 1 [5 6]]] [[r 1 [6 5]]] [[r 1 ?]] [[append 1 5]] "
       "[[r 1 []] [append 1 6]] [[r 1 [5]] [append 1 6]] [[append 2 5] [r 1 []]] [[append 2 5] [r 1 [5]]] "
       "[[r 1 [5]] [append 1 5]] [[r 1 ?] [append 1 5]] []"}};
  const std::vector<SampleMethod> mutex{{"acquire", {""}, "none nil true false"},
                                        {"release", {""}, "none nil true false"},
                                        {"try_acquire", {""}, "true false none nil ok"},
                                        {"is_held", {""}, "true false"}};
  const std::vector<SampleMethod> counter{{"add", {"1", "2", "-1", "0"}, done},
                                          {"increment", {"", "2"}, "none nil true"},
                                          {"decrement", {"", "0"}, "none nil true"},
                                          {"fetch_and_add", {"", "3", "0"}, numbers(-120, 320)},
                                          {"fetch_and_subtract", {"", "3"}, numbers(-120, 320)},
                                          {"add_and_get", {"", "3"}, numbers(-120, 320)},
                                          {"subtract_and_get", {"", "0"}, numbers(-120, 320)},
                                          {"read", {""}, numbers(-120, 320)}};
  const auto versioned = [&](const std::string& made, const std::string& shown) {
    const std::string fails = "false ErrVersion ErrNoKey ErrMaybe ";
    std::string shown_pairs = "nil ErrNoKey";
    for (int version = -1; version <= 60; ++version)
      shown_pairs += " [5 " + std::to_string(version) + "] [6 " + std::to_string(version) + "]";
    return std::vector<SampleMethod>{
        {"get", {"1", "2"}, shown_pairs},
        {"put", {"1 5 0", "1 6 1", "1 5 2", "2 5 0", "2 6 -1", "2 6 1"}, "none nil true ok " + fails + made},
        {"write", {"1 5", "2 6"}, "none true ok ErrMaybe " + made},
        {"version", {"1", "2"}, "nil " + shown}};
  };
  const auto log = [&](const std::string& places) {
    return std::vector<SampleMethod>{{"append", {"1"}, "none nil true false ok 1 " + places},
                                     {"append", {"2"}, "none nil true false ok 2 " + places},
                                     {"read", {""}, lists(7)},
                                     {"get", {"0", "1", "7", "-1"}, "nil 1 2 3"},
                                     {"put", {"[]", "[2 1]"}, "none true ok [] [2 1]"},
                                     {"length", {""}, small}};
  };
  const std::vector<SampleMethod> array{
      {"read", {"0", "1"}, "nil 0 1 2"},
      {"write", {"0 1", "1 2", "0 nil", "0 2", "1 nil", "0 0"}, "none true nil ok 0 1 2"},
      {"cas", {"0 1 2", "1 nil 1", "0 0 1", "0 2 2"}, "true false none nil ok 0 1 2"}};
  std::vector<Sample> all = java_samples();
  const std::vector<Sample> common{
      {"register", {{"write", {"1", "2"}, done}, {"read", {""}, "nil 1 2 3"}}},
      {"register initial=undefined", {{"write", {"1", "2"}, done}, {"read", {""}, "nil 1 2 3 none"}}},
      {"cas-register", cas_register},
      {"cas-register initial=undefined failed-cas=drop", cas_register},
      {"cas-register initial=1", cas_register},
      {"rmw initial=0",
       {{"read_modify_write", {"0", "1", "2"}, numbers(0, 3)},
        {"read", {""}, numbers(0, 3)},
        {"write", {"1", "2"}, done}}},
      {"multi-register", multi_register, false},
      {"multi-register initial=nil", multi_register},
      {"multi-register initial=0", multi_register},
      {"multi-register versions=told", versioned_registers, false},
      {"multi-register initial=5 versions=told", versioned_registers, false},
      {"list-append", list_append, false},
      {"mvcc-kv",
       {{"range", {"1", "1 3", "1 nil [revision 2]"}, "compacted future " + numbers(1, 8)},
        {"put", {"1 5", "2 6", "1 5 7"}, "none ok false " + numbers(1, 8)},
        {"delete", {"1", "1 3"}, "ok " + numbers(1, 8) + "[2 0] [3 1]"},
        {"txn", {"[[mod 1 0]] [[put 1 5]] [[delete 2]]", "[] [[range 1]] []"}, "true " + numbers(1, 8)},
        {"grant", {"7"}, "false " + numbers(1, 8)},
        {"revoke", {"7"}, "false " + numbers(1, 8)},
        {"compact", {"2", "0"}, "ok compacted future 3"},
        {"defragment", {""}, "ok 3"}}},
      {"array", array},
      {"array initial=0", array},
      {"map", map},
      {"map results=previous", map},
      {"map absent=empty-string", map},
      {"queue", queue},
      {"queue capacity=2", queue},
      {"queue unordered=[1,2,1]", queue, false},
      {"stack", stack("", maybe)},
      {"stack unordered=[1,2]", stack("", maybe), false},
      {"stack heights=yes", stack(small, maybe + "[nil 0] " + pairs())},
      {"stack heights=before", stack(small, "nil 0 none [nil 0] " + pairs())},
      {"deque", deque},
      {"deque capacity=2", deque},
      {"deque work-stealing=yes", deque},
      {"priority-queue", priority_queue},
      {"priority-queue order=largest ties=fifo", priority_queue},
      {"priority-queue order=1<2<7,1<a", priority_queue},
      {"priority-queue capacity=2", priority_queue},
      {"priority-queue order=componentwise ties=fifo",
       {{"insert", {"1 [1 2]", "2 [2 1]", "3 [2 2]", "1 [2 1]", "2 7"}, done},
        {"poll", {""}, maybe},
        {"peek", {""}, maybe},
        {"size", {""}, numbers(0, 20)},
        {"is_empty", {""}, "true false"}}},
      {"set",
       {{"add", {"1", "2"}, done},
        {"remove", {"1", "2"}, done},
        {"contains", {"1", "2"}, done},
        {"read", {""}, lists(3)},
        {"size", {""}, small},
        {"is_empty", {""}, "true false"},
        {"clear", {""}, "none"}}},
      {"bag",
       {{"add", {"1", "2"}, done},
        {"remove", {"1", "2"}, done},
        {"take", {""}, maybe},
        {"contains", {"1", "2"}, done},
        {"size", {""}, numbers(0, 40)},
        {"is_empty", {""}, "true false"},
        {"clear", {""}, "none"}}},
      {"mutex", mutex},
      {"mutex owner=yes", mutex},
      {"semaphore initial=1",
       {{"increment", {""}, "none true"},
        {"decrement", {""}, "none nil true false ok"},
        {"count", {""}, numbers(0, 110)}}},
      {"counter", counter},
      {"stream",
       {{"append",
         {"[1]", "[1 2] 0", "[2] 1", "[2] nil nil a", "[1] nil a", "[1] 1 a b"},
         "false ok ? " + numbers(0, 6)},
        {"read", {""}, "false " + numbers(0, 6) + "[0 0]"},
        {"check_tail", {""}, "false " + numbers(0, 6)}}},
      {"versioned-map", versioned("", numbers(0, 60))},
      {"versioned-map maybe=either", versioned("", numbers(0, 60))},
      {"versioned-map writes=version first=0", versioned(numbers(0, 60), numbers(-1, 60))},
      {"log", log("")},
      {"log append=index", log(small)},
      {"log append=length", log(small)},
  };
  all.insert(all.end(), common.begin(), common.end());
  return all;
}

}  // namespace linchpin::types
