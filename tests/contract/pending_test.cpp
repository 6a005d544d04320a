// docs/design/pending.md, row by row: each monitor is forced on a history with such a pending operation, and decides it
// or says why not, as the table promises.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "reference/reference.hpp"
#include "support/held.hpp"
#include "support/paths.hpp"

namespace linchpin {
namespace {

namespace fs = std::filesystem;

struct Row {
  std::string monitor, pending;
  bool decides = true;
  std::string type;     ///< of the history
  std::string history;  ///< in the native format, a line an operation
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.monitor << ": " << row.pending; }

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
      {"queue-monitor", "enqueue, value never seen", true, "queue", "0 1 - enqueue 1\n1 2 3 dequeue -> nil\n"},
      {"queue-monitor", "enqueue, value seen", true, "queue", "0 1 - enqueue 1\n1 2 3 dequeue -> 1\n"},
      {"queue-monitor", "peek, size, is_empty", true, "queue", "0 1 - peek\n1 2 - size\n2 3 - is_empty\n"},
      {"queue-monitor", "dequeue, also where the queue was found empty", true, "queue",
       "0 1 2 enqueue 1\n0 3 4 enqueue 2\n1 5 - dequeue\n2 6 7 dequeue -> 2\n3 8 9 enqueue 3\n4 10 - dequeue\n2 11 12 "
       "dequeue -> nil\n"},
      {"queue-monitor", "dequeue, and a peek at a value that nobody dequeued", false, "queue",
       "0 1 3 enqueue 1\n1 2 - dequeue\n2 4 10 enqueue 2\n3 5 7 peek -> 2\n4 6 - dequeue\n5 8 9 dequeue -> 1\n"},
      {"queue-monitor", "dequeue with a result", false, "queue", "0 1 2 enqueue 1\n1 3 - dequeue -> 1\n"},
      {"queue-positions", "dequeue of unknown result", true, "queue",
       "0 1 2 enqueue 1\n1 3 - dequeue\n2 4 5 dequeue -> nil\n"},
      {"queue-positions", "dequeue with a result", true, "queue",
       "0 1 2 enqueue 1\n0 3 4 enqueue 2\n1 5 - dequeue -> 1\n2 6 - dequeue -> 7\n3 7 8 dequeue -> 2\n"},
      {"queue-counting", "enqueue, value never seen", true, "queue capacity=1",
       "0 1 - enqueue 1\n1 2 3 enqueue 2 -> false\n"},
      {"queue-counting", "dequeue of unknown result", true, "queue capacity=1",
       "0 1 2 enqueue 1\n1 3 - dequeue\n2 4 5 enqueue 2 -> true\n3 6 7 size -> 1\n"},
      {"queue-counting", "dequeue with a result", false, "queue capacity=1",
       "0 1 2 enqueue 1\n1 3 - dequeue -> 1\n2 4 5 enqueue 2 -> true\n"},
      {"queue-lift", "dequeue", true, "queue",
       "0 1 2 enqueue 1\n0 3 4 enqueue 1\n0 5 6 enqueue 2\n1 7 - dequeue\n2 8 - dequeue -> 1\n3 9 10 dequeue -> 2\n"},
      {"queue-lift", "dequeue with a result", true, "queue",
       "0 1 2 enqueue 1\n0 3 4 enqueue 1\n0 5 6 enqueue 2\n1 7 - dequeue -> 1\n2 8 - dequeue -> 7\n3 9 10 dequeue -> "
       "2\n"},
      {"stack-lift", "pop", true, "stack",
       "0 1 2 push 1\n0 3 4 push 1\n0 5 6 push 2\n1 7 - pop\n2 8 9 pop -> 1\n3 10 11 pop -> 1\n"},
      {"stack-lift", "pop with a result", true, "stack",
       "0 1 2 push 1\n0 3 4 push 1\n0 5 6 push 2\n1 7 - pop -> 2\n2 8 - pop -> 7\n3 9 10 pop -> 1\n"},
      {"stack-sets", "pop", true, "stack",
       "0 1 2 push 1\n0 3 4 push 1\n0 5 6 push 2\n1 7 - pop\n2 8 9 pop -> 1\n3 10 11 pop -> 1\n"},
      {"stack-sets", "pop with a result", true, "stack",
       "0 1 2 push 1\n0 3 4 push 1\n0 5 6 push 2\n1 7 - pop -> 1\n2 8 9 pop -> 1\n"},
      {"stack-monitor", "push, value never seen", true, "stack", "0 1 - push 1\n1 2 3 pop -> nil\n"},
      {"stack-monitor", "push, value seen", true, "stack", "0 1 - push 1\n1 2 3 pop -> 1\n"},
      {"stack-monitor", "peek, size, is_empty", true, "stack", "0 1 - peek\n1 2 - size\n2 3 - is_empty\n"},
      {"stack-monitor", "pop of unknown result", true, "stack",
       "0 1 2 push 1\n0 3 4 push 2\n1 5 - pop\n2 6 7 pop -> 1\n3 8 9 pop -> nil\n"},
      {"stack-monitor", "pop with a result", true, "stack",
       "0 1 2 push 1\n0 3 4 push 2\n1 5 - pop -> 2\n2 6 7 pop -> 1\n"},
      {"deque-work-stealing", "push, value never seen", true, "deque work-stealing=yes",
       "0 1 2 push_back 1\n1 3 4 pop_front -> 1\n0 5 - push_back 2\n"},
      {"deque-work-stealing", "push, value seen", true, "deque work-stealing=yes",
       "0 1 - push_back 1\n1 2 3 pop_front -> 1\n"},
      {"deque-work-stealing", "steal of unknown result", true, "deque work-stealing=yes",
       "0 1 2 push_back 1\n0 3 4 push_back 2\n1 5 - pop_front\n2 6 7 pop_front -> 2\n"},
      {"deque-work-stealing", "steal of unknown result, a value that stays, and a thief that found nothing", false,
       "deque work-stealing=yes", "0 1 2 push_back 1\n1 3 - pop_front\n2 4 5 pop_front -> nil\n"},
      {"deque-work-stealing", "steal with a result", false, "deque work-stealing=yes",
       "0 1 2 push_back 1\n1 3 - pop_front -> 1\n"},
      {"deque-work-stealing", "pop of the owner", true, "deque work-stealing=yes",
       "0 1 2 push_back 1\n0 3 4 push_back 2\n0 5 - pop_back\n1 6 7 pop_front -> 1\n"},
      {"deque-work-stealing", "pop of the owner, and a thief found nothing", false, "deque work-stealing=yes",
       "0 1 2 push_back 1\n0 5 - pop_back\n1 6 7 pop_front -> nil\n"},
      {"deque-monitor", "push, value never seen", true, "deque", "0 1 - push_back 1\n1 2 3 pop_front -> nil\n"},
      {"deque-monitor", "push, value seen", true, "deque", "0 1 - push_back 1\n1 2 3 pop_front -> 1\n"},
      {"deque-monitor", "peek, size, is_empty", true, "deque", "0 1 - peek_front\n1 2 - size\n2 3 - is_empty\n"},
      {"deque-monitor", "pop of unknown result", true, "deque",
       "0 1 2 push_back 1\n0 3 4 push_back 2\n1 5 - pop_front\n2 6 7 pop_front -> 2\n"},
      {"deque-monitor", "pop with a result", true, "deque",
       "0 1 2 push_back 1\n0 3 4 push_back 2\n1 5 - pop_front -> 1\n2 6 7 pop_front -> 2\n"},
      {"deque-pairs", "push, value never seen", true, "deque", "0 1 - push_back 1\n1 2 3 pop_front -> nil\n"},
      {"deque-pairs", "push, value seen", true, "deque", "0 1 - push_back 1\n1 2 3 pop_front -> 1\n"},
      {"deque-pairs", "push, and a size is told", false, "deque", "0 1 - push_back 1\n1 2 3 size -> 1\n"},
      {"deque-pairs", "peek, size, is_empty", true, "deque", "0 1 - peek_front\n1 2 - size\n2 3 - is_empty\n"},
      {"deque-pairs", "pop of unknown result", true, "deque",
       "0 1 2 push_back 1\n0 3 4 push_back 2\n1 5 - pop_front\n2 6 7 pop_front -> 2\n"},
      {"deque-pairs", "pop with a result", false, "deque", "0 1 2 push_back 1\n1 3 - pop_front -> 1\n"},
      {"deque-sets", "pop", true, "deque",
       "0 1 2 push_back 1\n0 3 4 push_back 1\n0 5 6 push_front 2\n1 7 - pop_front\n2 8 9 pop_front -> 1\n3 10 11 "
       "pop_back -> 1\n"},
      {"deque-sets", "pop with a result", true, "deque",
       "0 1 2 push_back 1\n0 3 4 push_back 1\n0 5 6 push_front 2\n1 7 - pop_back -> 1\n2 8 9 pop_back -> 1\n"},
      {"deque-sets", "push, with a capacity", true, "deque capacity=1",
       "0 1 2 push_back 1\n1 3 - push_front 2\n2 4 5 pop_back -> 1\n3 6 7 push_back 3 -> false\n"},
      {"deque-lift", "pop with a result", true, "deque",
       "0 1 2 push_back 1\n0 3 4 push_back 1\n0 5 6 push_back 2\n1 7 - pop_front -> 1\n2 8 - pop_front -> 7\n3 9 10 "
       "pop_front -> 2\n"},
      {"deque-lift", "pop", true, "deque",
       "0 1 2 push_back 1\n0 3 4 push_back 1\n0 5 6 push_back 2\n1 7 - pop_front\n2 8 - pop_front -> 1\n3 9 10 "
       "pop_front -> 2\n"},
      {"priority-queue-monitor", "insert, value never seen", true, "priority-queue",
       "0 1 - insert 1\n1 2 3 poll -> nil\n"},
      {"priority-queue-monitor", "insert, value seen", true, "priority-queue", "0 1 - insert 1\n1 2 3 poll -> 1\n"},
      {"priority-queue-monitor", "poll of unknown result", true, "priority-queue",
       "0 1 2 insert 1\n0 3 4 insert 2\n1 5 - poll\n2 6 7 poll -> 2\n"},
      {"priority-queue-monitor", "poll with a result", true, "priority-queue",
       "0 1 2 insert 1\n0 3 4 insert 2\n1 5 - poll -> 1\n2 6 - poll -> 7\n3 7 8 poll -> 2\n"},
      {"priority-queue-lift", "poll with a result", true, "priority-queue",
       "0 1 2 insert 1\n0 3 4 insert 1\n0 5 6 insert 2\n1 7 - poll -> 1\n2 8 - poll -> 1\n3 9 10 poll -> 2\n"},
      {"priority-queue-contents", "poll with a result", true, "priority-queue",
       "0 1 2 insert 1\n0 3 4 insert 1\n0 5 6 insert 2\n1 7 - poll -> 1\n2 8 - poll -> 2\n3 9 10 poll -> 2\n"},
      {"priority-queue-contents", "poll of unknown result", true, "priority-queue",
       "0 1 2 insert 1\n0 3 4 insert 1\n0 5 6 insert 2\n1 7 - poll\n2 8 - poll\n3 9 10 poll -> 2\n"},
      {"priority-queue-contents", "poll of unknown result, and a size is told", false, "priority-queue",
       "0 1 2 insert 1\n0 3 4 insert 1\n1 5 - poll\n2 6 7 size -> 1\n"},
      {"priority-queue-monitor", "poll of unknown result, priorities partially ordered", true,
       "priority-queue order=1<2,1<3 ties=fifo",
       "0 1 2 insert a 1\n0 3 4 insert b 2\n0 5 6 insert c 3\n1 7 - poll\n2 8 9 poll -> b\n"},
      {"priority-queue-contents", "insert, with a capacity", true, "priority-queue capacity=1",
       "0 1 - insert 1\n1 2 3 insert 2 -> false\n"},
      {"priority-queue-entries", "insert", true, "priority-queue ties=fifo",
       "0 1 2 insert a 1\n0 3 4 insert a 1\n1 5 - insert b 0\n2 6 7 poll -> b\n2 8 9 poll -> a\n"},
      {"priority-queue-entries", "poll with a result", true, "priority-queue ties=fifo",
       "0 1 2 insert a 1\n0 3 4 insert b 1\n0 5 6 insert a 1\n1 7 - poll -> a\n2 8 - poll -> c\n3 9 10 poll -> b\n"},
      {"priority-queue-entries", "poll of unknown result", true, "priority-queue order=1<2,1<3 ties=fifo",
       "0 1 2 insert a 1\n0 3 4 insert a 1\n0 5 6 insert b 2\n1 7 - poll\n2 8 - poll\n3 9 10 poll -> b\n"},
      {"check-pq", "insert, value never seen", true, "priority-queue", "0 1 - insert 1\n1 2 3 poll -> nil\n"},
      {"check-pq", "insert, value seen", true, "priority-queue", "0 1 - insert 1\n1 2 3 poll -> 1\n"},
      {"check-pq", "poll", false, "priority-queue", "0 1 2 insert 1\n1 3 - poll\n"},
      {"set-monitor", "add, remove", true, "set",
       "0 1 - add 1\n1 2 3 contains 1 -> true\n2 4 - remove 1\n1 5 6 contains 1 -> false\n"},
      {"set-monitor", "add, remove with a result", true, "set",
       "0 1 - add 1 -> false\n1 2 3 contains 1 -> false\n2 4 - add 1 -> true\n3 5 - remove 1 -> false\n1 6 7 contains "
       "1 "
       "-> true\n"},
      {"set-plain", "add, remove with a result that is no truth value", false, "set",
       "0 1 - add 1 -> 7\n1 2 3 contains 1 -> true\n"},
      {"set-contents", "add, remove with a result", true, "set",
       "0 1 - add 1 -> false\n1 2 - add 1 -> true\n2 3 4 size -> 1\n3 5 - remove 1 -> false\n2 6 7 size -> 0\n"},
      {"set-monitor", "contains", true, "set", "0 1 - contains 1\n1 2 3 add 1 -> true\n"},
      {"mutex-monitor", "acquire, try_acquire, release", true, "mutex",
       "0 1 - acquire\n1 2 3 is_held -> true\n2 4 - release\n1 5 6 is_held -> false\n3 7 - try_acquire\n1 8 9 is_held "
       "-> "
       "true\n"},
      {"mutex-monitor", "is_held", true, "mutex", "0 1 - is_held\n1 2 3 acquire\n"},
      {"mutex-monitor", "try_acquire with a result", true, "mutex",
       "0 1 - try_acquire -> false\n1 2 - try_acquire -> true\n2 3 4 is_held -> true\n"},
      {"mutex-owner-monitor", "acquire, try_acquire", true, "mutex owner=yes",
       "0 1 - acquire\n1 2 3 is_held -> true\n2 4 5 try_acquire -> false\n"},
      {"mutex-owner-monitor", "release", true, "mutex owner=yes", "0 1 2 acquire\n0 3 - release\n1 4 5 acquire\n"},
      {"mutex-owner-monitor", "is_held", true, "mutex owner=yes", "0 1 - is_held\n1 2 3 acquire\n"},
      {"mutex-owner-monitor", "try_acquire with a result", true, "mutex owner=yes",
       "0 1 - try_acquire -> false\n1 2 - try_acquire -> true\n2 3 4 is_held -> true\n"},
      {"semaphore-dips", "decrement with a result", true, "semaphore initial=1",
       "0 1 - decrement -> false\n1 2 - decrement -> true\n2 3 4 decrement -> false\n"},
      {"semaphore-contents", "decrement with a result", true, "semaphore initial=1",
       "0 1 - decrement -> false\n1 2 - decrement -> true\n2 3 4 count -> 0\n"},
      {"semaphore-paths", "decrement with a result", true, "semaphore initial=1",
       "0 1 - decrement -> false\n1 2 - decrement -> true\n2 3 4 count -> 0\n"},
      {"bag-monitor", "add, value never seen", true, "bag", "0 1 - add 1\n1 2 3 take -> nil\n"},
      {"bag-monitor", "remove of a known value", true, "bag",
       "0 1 2 add 1\n1 3 - remove 1\n2 4 5 contains 1 -> true\n3 6 7 take -> nil\n"},
      {"bag-monitor", "remove, take with a result", true, "bag",
       "0 1 2 add 1\n1 3 - remove 1 -> false\n2 4 - take -> 7\n3 5 6 contains 1 -> true\n4 7 - take -> 1\n5 8 9 take "
       "-> "
       "nil\n"},
      {"bag-plain", "clear", false, "bag", "0 1 2 add 1\n1 3 - clear\n2 4 5 take -> nil\n"},
      {"bag-contents", "remove, take with a result", true, "bag",
       "0 1 2 add 1\n0 3 4 add 1\n1 5 - remove 1 -> false\n2 6 - take -> 7\n3 7 - take -> 1\n4 8 9 size -> 1\n"},
      {"bag-contents", "take of unknown result", true, "bag",
       "0 1 2 add 1\n0 3 4 add 1\n0 5 6 add 2\n1 7 - take\n2 8 - take\n3 9 10 contains 1 -> false\n"},
      {"bag-lift", "remove, take with a result", true, "bag",
       "0 1 2 add 1\n0 3 4 add 1\n1 5 - remove 1 -> false\n2 6 - take -> 7\n3 7 - take -> 1\n4 8 9 take -> 1\n5 10 11 "
       "take -> nil\n"},
      {"bag-monitor", "take of unknown result, nothing found missing", true, "bag",
       "0 1 2 add 1\n0 3 4 add 1\n1 5 - take\n2 6 7 take -> 1\n2 8 9 take -> 1\n"},
      {"bag-monitor", "take of unknown result, and something found missing", false, "bag",
       "0 1 2 add 1\n1 3 - take\n2 4 5 take -> nil\n"},
      {"register-monitor", "write, value never read", true, "register", "0 1 - write 1\n1 2 3 read -> nil\n"},
      {"register-monitor", "write, value read", true, "register",
       "0 1 - write 1\n1 2 3 read -> 1\n1 4 5 read -> nil\n"},
      {"register-monitor", "read", true, "register", "0 1 - read\n1 2 3 write 1\n"},
      {"cas-register-monitor", "write or cas, value seen", true, "cas-register initial=0",
       "0 1 - cas 0 1\n1 2 - cas 1 2\n2 3 4 read -> 2\n2 5 6 read -> 1\n"},
      {"cas-register-monitor", "write or cas, value never seen", true, "cas-register initial=0",
       "0 1 - cas 7 1\n1 2 - write 3\n2 3 4 read -> 0\n"},
      {"cas-register-monitor", "cas with a result", true, "cas-register initial=0",
       "0 1 - cas 0 1 -> false\n1 2 - cas 0 2 -> true\n2 3 4 read -> 2\n"},
      {"cas-register-monitor", "compare_exchange with a result", true, "cas-register initial=0",
       "0 1 - compare_exchange 0 1 -> 5\n1 2 - compare_exchange 0 2 -> 0\n2 3 4 read -> 2\n"},
      {"cas-register-monitor", "write never seen, and a cas failed later that nothing else explains", false,
       "cas-register initial=0", "0 1 - write 3\n1 2 3 cas 0 1 -> false\n"},
      {"register-plain", "write, value never seen", true, "register", "0 1 - write 1\n1 2 3 read -> nil\n"},
      {"register-plain", "write, value seen", true, "register", "0 1 - write 1\n1 2 3 read -> 1\n"},
      {"register-plain", "read", true, "register", "0 1 2 write 1\n1 3 - read\n2 4 5 read -> 1\n"},
      {"value-blocks", "any operation", false, "cas-register initial=undefined", "0 1 - write 1\n"},
      {"rmw-monitor", "exchange, value seen", true, "rmw initial=0", "0 1 - rmw 1\n1 2 3 rmw 2 -> 1\n"},
      {"rmw-monitor", "exchange, value never seen", true, "rmw initial=0", "0 1 - rmw 1\n1 2 3 rmw 2 -> 0\n"},
      {"rmw-monitor", "exchange with a result", true, "rmw initial=0",
       "0 1 - rmw 1 -> 7\n1 2 - rmw 2 -> 0\n2 3 4 read -> 2\n"},
      {"array-element-monitor", "write or cas, value seen", true, "array initial=0",
       "0 1 - cas 7 0 1\n1 2 - cas 7 1 2\n2 3 4 read 7 -> 2\n2 5 6 read 7 -> 1\n"},
      {"array-element-monitor", "cas with a result", true, "array initial=0",
       "0 1 - cas 7 0 1 -> false\n1 2 - cas 7 0 2 -> true\n2 3 4 read 7 -> 2\n"},
      {"array-element-monitor", "read", true, "array", "0 1 - read 7\n1 2 3 write 7 1\n"},
      {"map-key-monitor", "put, cas, replace, value seen", true, "map",
       "0 1 - put 9 1\n1 2 - cas 9 1 2\n2 3 4 get 9 -> 2\n"},
      {"map-key-monitor", "remove", false, "map", "0 1 2 put 9 1\n1 3 - remove 9\n2 4 5 get 9 -> nil\n"},
      {"map-key-monitor", "put with the value before", true, "map",
       "0 1 - put 9 1 -> 7\n1 2 - put 9 2 -> 3\n2 4 5 put 9 7\n3 6 7 get 9 -> 1\n"},
      {"map-key-monitor", "cas with a result", true, "map",
       "0 1 - cas 9 nil 1 -> false\n1 2 - cas 9 nil 2 -> true\n2 3 4 get 9 -> 2\n"},
      {"map-append-monitor", "put, append, cas, text never shown", true, "map",
       "0 1 2 put 9 a\n1 3 - append 9 b\n2 4 - put 9 c\n3 5 - cas 9 a d\n4 6 7 get 9 -> a\n"},
      {"map-append-monitor", "put, append, cas, text shown", true, "map",
       "0 1 - put 9 a\n1 2 - append 9 b\n2 3 - cas 9 ab c\n3 4 5 get 9 -> c\n"},
      {"map-append-monitor", "append that would fail", true, "map",
       "0 1 2 append 9 a\n1 3 - append 9 b -> false\n2 4 5 get 9 -> a\n"},
      {"map-append-monitor", "remove", false, "map", "0 1 2 append 9 a\n1 3 - remove 9\n2 4 5 get 9 -> a\n"},
      {"map-removal-monitor", "remove", true, "map",
       "0 1 2 put 9 1\n1 3 - remove 9\n2 4 5 get 9 -> nil\n3 6 7 put 9 2\n4 8 9 get 9 -> 2\n"},
      {"map-removal-monitor", "put, append, cas, put_if_absent", true, "map",
       "0 1 - put 9 a\n1 2 3 remove 9\n2 4 - append 9 b\n3 5 6 get 9 -> b\n4 7 - put_if_absent 9 c\n5 8 9 get 9 -> "
       "nil\n6 10 11 "
       "remove 9 -> false\n"},
      {"map-removal-monitor", "remove with the value before", false, "map",
       "0 1 2 put 9 1\n1 3 - remove 9 -> 1\n2 4 5 get 9 -> nil\n"},
      {"mvcc-monitor", "put, delete, transaction", true, "mvcc-kv",
       "0 1 - put a x\n1 2 - delete a\n2 3 - txn [[mod b 0]] [[put b y]] []\n"
       "3 4 5 range a c -> [4 [[b y 3]] 1]\n"},
      {"mvcc-monitor", "revoke", true, "mvcc-kv",
       "0 1 2 grant 7 -> 1\n0 3 4 put a x 7 -> 2\n1 5 - revoke 7\n2 6 7 range a -> [3 [] 0]\n"},
      {"mvcc-monitor", "revoke, and somebody who called later puts under its lease", true, "mvcc-kv",
       "0 1 2 grant 7 -> 1\n1 3 - revoke 7\n2 4 5 put a x 7 -> 2\n0 6 7 range a -> [3 [] 0]\n"},
      {"mvcc-monitor", "revoke that ended a lease without keys, and somebody who called later could not put under it",
       false, "mvcc-kv", "0 1 2 grant 7 -> 1\n1 3 - revoke 7\n2 4 5 put a x 7 -> 1\n"},
      {"mvcc-monitor", "grant of a lease that nobody uses", true, "mvcc-kv", "0 1 - grant 7\n1 2 3 put a x -> 2\n"},
      {"mvcc-monitor", "compact", true, "mvcc-kv",
       "0 1 2 put a x -> 2\n1 3 - compact 2\n2 4 5 range a nil [revision 1] -> [2 [] 0]\n"},
      {"mvcc-monitor", "put with its revision as its result", false, "mvcc-kv",
       "0 1 - put a x -> 2\n1 2 3 range a -> [2 [[a x 2]] 1]\n"},
      {"mvcc-monitor", "range, defragment", true, "mvcc-kv", "0 1 - range a\n1 2 - defragment\n2 3 4 put a x -> 2\n"},
      {"stream-monitor", "append that matches a position", true, "stream",
       "0 1 - append [7] 1\n1 2 3 append [8] -> 1\n1 4 5 check_tail -> 2\n"},
      {"stream-monitor", "append", true, "stream", "0 1 - append [7]\n1 2 3 append [8] -> 2\n"},
      {"stream-monitor", "append with the tail as its result", false, "stream",
       "0 1 - append [7] -> 1\n1 2 3 check_tail -> 1\n"},
      {"stream-monitor", "append that promises to fail, read, check_tail", true, "stream",
       "0 1 - append [7] -> false\n1 2 - read\n2 3 - check_tail\n3 4 5 check_tail -> 0\n"},
      {"versioned-key-monitor", "put", true, "versioned-map",
       "0 1 - put 9 1 0\n1 2 - put 9 2 1\n2 3 - put 9 3 1\n3 4 5 get 9 -> [3 2]\n"},
      {"versioned-key-monitor", "put with a result", true, "versioned-map",
       "0 1 - put 9 1 0 -> ErrVersion\n1 2 - put 9 2 0 -> OK\n2 3 4 get 9 -> [2 1]\n"},
      {"versioned-key-monitor", "write, value seen once and written by nobody else", true, "versioned-map",
       "0 1 - write 9 1\n1 2 3 get 9 -> [1 1]\n"},
      {"versioned-key-monitor", "write, value never seen", true, "versioned-map",
       "0 1 - write 9 1\n1 2 3 put 9 2 0\n1 4 5 get 9 -> [2 1]\n"},
      {"versioned-key-monitor", "write, value written by others too", false, "versioned-map",
       "0 1 - write 9 1\n1 2 - write 9 1\n2 3 4 get 9 -> [1 1]\n"},
      {"versioned-key-monitor", "get, version", true, "versioned-map",
       "0 1 - get 9\n1 2 - version 9\n2 3 4 put 9 1 0\n"},
      {"map-presence-monitor", "put_if_absent, remove", true, "map",
       "0 1 - put_if_absent 9 1\n1 2 3 contains 9 -> true\n2 4 - remove 9\n1 5 6 get 9 -> nil\n"},
      {"map-presence-monitor", "put_if_absent with the value that keeps it from storing", true, "map",
       "0 1 - put_if_absent 9 1 -> 7\n1 5 6 contains 9 -> true\n"},
      {"map-presence-monitor", "remove with the value before", false, "map",
       "0 1 2 put_if_absent 9 1 -> true\n1 3 - remove 9 -> 7\n2 4 5 contains 9 -> false\n"},
      {"map-presence-monitor", "contains, get, replace", true, "map",
       "0 1 - contains 9\n1 2 - get 9\n2 3 - replace 9 4\n3 5 6 contains 9 -> false\n"},
      {"counter-monitor", "additions", true, "counter", "0 1 - increment\n1 2 3 read -> 1\n2 4 5 read -> 0\n"},
      {"counter-monitor", "read", true, "counter", "0 1 - read\n1 2 3 increment\n"},
      {"counter-monitor", "addition with a result", false, "counter", "0 1 - fetch_and_add 1 -> 5\n1 2 3 read -> 1\n"},
      {"counter-amounts", "addition with a result", true, "counter",
       "0 1 - fetch_and_add 2 -> 5\n1 2 - fetch_and_add 1 -> 0\n2 3 4 read -> 1\n"},
      {"counter-amounts", "additions of many amounts", true, "counter",
       "0 1 - add 3\n1 2 - add 5\n2 3 - subtract_and_get 1\n3 4 5 read -> 5\n3 6 7 read -> 8\n3 8 9 read -> 7\n"},
      {"counter-contents", "addition with a result", true, "counter",
       "0 1 - fetch_and_add 1 -> 5\n1 2 - fetch_and_add 1 -> 0\n2 3 4 read -> 1\n"},
      {"counter-paths", "additions", true, "counter",
       "0 1 - increment\n3 1 3 decrement\n1 2 4 read -> 1\n2 5 6 read -> 0\n"},
      {"counter-paths", "addition with a result", false, "counter",
       "0 1 - fetch_and_add 1 -> 5\n1 2 3 decrement\n2 4 5 read -> -1\n"},
      {"log-monitor", "append", true, "log", "0 1 - append 1\n1 2 3 length -> 1\n1 4 5 get 0 -> 1\n"},
      {"log-monitor", "append whose result would be its index, and the entry repeats", true, "log append=index",
       "0 1 - append 1\n1 2 - append 1\n2 3 - append 2\n3 4 5 append 1 -> 2\n4 6 7 get 0 -> 1\n5 8 9 append 3 -> 3\n"},
      {"log-places", "append", true, "log",
       "0 1 - append 1\n1 2 3 append 1\n2 4 5 append 2\n3 6 7 get 2 -> 1\n4 8 9 length -> 3\n"},
      {"log-contents", "append, put", true, "log",
       "0 1 - append 1\n1 2 - put [2]\n2 3 4 read -> [2]\n3 5 6 put []\n4 7 8 read -> [1]\n"},
      {"log-monitor", "append with an index as its result", false, "log append=index",
       "0 1 - append 1 -> 1\n1 2 - append 2 -> 0\n2 3 4 get 0 -> 2\n"},
      {"log-monitor", "read, get, length", true, "log", "0 1 - read\n1 2 - get 0\n2 3 - length\n3 4 5 append 1\n"},
      {"list-append-monitor", "transaction of which nobody saw an append", true, "list-append",
       "0 1 - txn [[append x 1] [r y nil]]\n1 2 3 txn [[r x nil]] -> [[r x []]]\n"},
      {"list-append-monitor", "transaction of which an append was seen", true, "list-append",
       "0 1 - txn [[append x 1] [append y 1]]\n1 2 3 txn [[r x nil]] -> [[r x [1]]]\n"
       "2 4 5 txn [[r y nil]] -> [[r y [1]]]\n"},
      {"list-append-lengths", "transaction with an element that repeats", true, "list-append",
       "0 1 - txn [[append x 1] [append y 1]]\n1 2 - txn [[append x 1]]\n2 3 4 txn [[r x nil]] -> [[r x [1]]]\n"},
      {"list-append-lengths", "the same, and it is known what it would have read", false, "list-append",
       "0 1 - txn [[append x 1] [r y nil]] -> [[append x 1] [r y []]]\n1 2 - txn [[append x 1]]\n"
       "2 3 4 txn [[r x nil]] -> [[r x [1]]]\n"},
      {"list-append-monitor", "the same, and it is known what it would have read", false, "list-append",
       "0 1 - txn [[append x 1] [r y nil]] -> [[append x 1] [r y []]]\n1 2 3 txn [[r x nil]] -> [[r x [1]]]\n"},
      {"multi-register-monitor", "transaction of which nobody saw a write", true, "multi-register initial=0",
       "0 1 - txn [[w x 1] [r y 5]]\n1 2 3 txn [[r x nil]] -> [[r x 0]]\n"},
      {"multi-register-monitor", "transaction of which a write was seen", true, "multi-register initial=0",
       "0 1 - txn [[w x 1] [w y 1]]\n1 2 3 txn [[r x nil]] -> [[r x 1]]\n2 4 5 txn [[r y nil]] -> [[r y 1]]\n"},
      {"register-values", "transaction with a value that repeats", true, "multi-register initial=0",
       "0 1 - txn [[w x 1] [w y 1]]\n1 2 - txn [[w x 1]]\n2 3 4 txn [[r x nil] [r y nil]] -> [[r x 1] [r y 0]]\n"},
      {"register-values", "the same, and it is known what it would have read", true, "multi-register initial=0",
       "0 1 - txn [[w x 1] [r y nil]] -> [[w x 1] [r y 5]]\n1 2 - txn [[w x 1]]\n"
       "2 3 4 txn [[r x nil]] -> [[r x 1]]\n"},
      {"register-versions", "transaction of which nobody saw a version", true, "multi-register versions=told",
       "0 1 - txn [[w x 1] [r y 5]]\n1 2 3 txn [[w x 2]] -> [[w x 2 1]]\n2 4 5 txn [[r x]] -> [[r x 2 1]]\n"},
      {"register-versions", "transaction that alone can have made a version that was seen", true,
       "multi-register initial=0 versions=told",
       "0 1 - txn [[w x 1]]\n1 2 3 txn [[w x 2]] -> [[w x 2 1]]\n2 4 5 txn [[r x]] -> [[r x 1 2]]\n"},
      {"register-versions", "one of several that can have", false, "multi-register initial=0 versions=told",
       "0 1 - txn [[w x 1]]\n1 2 - txn [[w x 1]]\n2 4 5 txn [[r x]] -> [[r x 1 2]]\n"},
  };
  return all;
}

History parsed(const Row& row) {
  const fs::path path = fs::temp_directory_path() / ("linchpin-pending-" + std::to_string(&row - rows().data()) + "-" +
                                                     std::to_string(std::hash<std::string>{}(row.history)) + ".txt");
  std::ofstream(path) << "# linchpin 1\n# type: " << row.type << "\n" << row.history;
  auto histories = read_histories(path.string(), {});
  fs::remove(path);
  if (!histories || !(*histories)[0]) {
    ADD_FAILURE() << (histories ? (*histories)[0].error() : histories.error()).to_string();
    return std::move(*HistoryBuilder().build());
  }
  return std::move(*(*histories)[0]);
}

class Pending : public testing::TestWithParam<Row> {};

TEST_P(Pending, TheMonitorDoesAsTheTableSays) {
  const Row& row = GetParam();
  const History history = parsed(row);
  ASSERT_GT(history.pending_count(), 0U);
  const auto specification = make_specification(*TypeName::parse(row.type));
  ASSERT_TRUE(specification);
  const std::vector specifications{*specification};
  const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
  ASSERT_TRUE(parts);
  const Verdict truth = reference::linearizable((*parts)[0]) ? Verdict::linearizable : Verdict::violation;

  CheckOptions options;
  options.decider = row.monitor;
  options.verify = Verify::thoroughly;
  const auto forced = check(history, options);
  ASSERT_TRUE(forced) << forced.error().to_string();
  const ObjectVerdict& by_monitor = forced->objects[0];
  EXPECT_EQ(test::what_did_not_hold(by_monitor), "");
  if (row.decides) {
    EXPECT_EQ(by_monitor.verdict, truth) << by_monitor.why;
    EXPECT_TRUE(by_monitor.witness_checked.value_or(truth == Verdict::violation));
    EXPECT_TRUE(by_monitor.core_checked.value_or(truth == Verdict::linearizable));
  } else {
    EXPECT_EQ(by_monitor.verdict, Verdict::unknown);
    EXPECT_EQ(by_monitor.reason, Reason::not_applicable);
    const std::size_t colon = by_monitor.why.find(": ");
    ASSERT_NE(colon, std::string::npos) << "no reason: " << by_monitor.why;
    EXPECT_GT(by_monitor.why.size(), colon + 10);
  }
  // Chosen freely it is decided in any case.
  options.decider.clear();
  const auto chosen = check(history, options);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->verdict, truth) << chosen->objects[0].decider;
  if (!row.decides) {
    EXPECT_NE(chosen->objects[0].decider, row.monitor);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Pending, testing::ValuesIn(rows()),
                         [](const auto& parameter) { return "Row" + std::to_string(parameter.index + 1); });

TEST(PendingTable, HasTheRowsThatAreTested) {
  std::ifstream file(test::source_folder() / "docs/design/pending.md");
  ASSERT_TRUE(file);
  std::set<std::string> documented, tested;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| ") || line.starts_with("| monitor ")) continue;
    std::vector<std::string> cells;
    std::istringstream split(line.substr(2));
    for (std::string cell; std::getline(split, cell, '|');) {
      cell.erase(0, cell.find_first_not_of(' '));
      cell.erase(cell.find_last_not_of(' ') + 1);
      cells.push_back(cell);
    }
    ASSERT_EQ(cells.size(), 4U) << line;
    documented.insert(cells[0] + ": " + cells[1] + ": " + cells[3]);
  }
  for (const Row& row : rows()) tested.insert(row.monitor + ": " + row.pending + ": " + (row.decides ? "yes" : "no"));
  EXPECT_EQ(documented, tested);
}

}  // namespace
}  // namespace linchpin
