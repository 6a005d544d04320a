/* The queue with two locks (Michael and Scott, 1996): a linked list that begins with a dummy node; adds hold the lock of
 * its end, removes that of its beginning. Linearizable.
 *
 * -D EXCHANGE plants what makes an add wait for nobody: it takes its place by exchanging the end, and links its node to
 * the one before only then. As long as it has not, whatever was added after it cannot be seen from the beginning.
 *
 *   linchpin reach --type queue examples/models/two_lock_queue.pml
 *   linchpin reach --type queue -D EXCHANGE examples/models/two_lock_queue.pml */

#define NODES (CAPACITY + THREADS + 1)

typedef Node { VALUE value; byte next; bit used }

Node nodes[NODES + 1]; /* node 0 is none, node 1 the first dummy */
byte head = 1, tail = 1;
bit head_locked, tail_locked;

inline new_node(n, v) {
  d_step {
    n = 2;
    do
    :: nodes[n].used || n == head || n == tail -> n++
    :: else -> break
    od;
    nodes[n].used = 1;
    nodes[n].value = v;
    nodes[n].next = 0
  }
}

inline put(v) {
  byte n, before;
  new_node(n, v);
#ifdef EXCHANGE
  d_step { before = tail; tail = n };
  nodes[before].next = n;
#else
  atomic { !tail_locked -> tail_locked = 1 };
  nodes[tail].next = n;
  tail = n;
  tail_locked = 0;
#endif
  n = 0;
  before = 0
}

inline remove(result) {
  byte first;
  atomic { !head_locked -> head_locked = 1 };
  first = nodes[head].next;
  if
  :: first == 0 -> result = EMPTY
  :: else ->
     result = nodes[first].value;
     d_step {
       nodes[head].used = 0;
       nodes[head].next = 0;
       head = first; /* the new dummy */
       nodes[head].value = 0;
       first = 0
     }
  fi;
  head_locked = 0
}
