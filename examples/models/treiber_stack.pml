/* The lock-free stack (Treiber, 1986): a linked list whose top is changed by compare-and-swap. A node is used again when
 * no remove holds it any more, as under a garbage collector. Linearizable.
 *
 * -D ABA uses a node again at once: a remove that has read the top, and what is below it, then finds the same node on
 * top, and takes for what is below it what was there before.
 *
 *   linchpin reach --type stack examples/models/treiber_stack.pml
 *   linchpin reach --type stack -D ABA examples/models/treiber_stack.pml */

#ifdef ABA
#define FREE(n) (!nodes[n].used)
#else
#define FREE(n) (!nodes[n].used && nodes[n].held == 0)
#endif

#define NODES (CAPACITY + THREADS)

typedef Node { VALUE value; byte next; byte held; bit used }

Node nodes[NODES + 1]; /* node 0 is none */
byte top;

inline put(v) {
  byte n, old;
  d_step {
    n = 1;
    do
    :: !FREE(n) -> n++
    :: else -> break
    od;
    nodes[n].used = 1;
    nodes[n].value = v
  };
  do
  :: old = top;
     nodes[n].next = old;
     atomic {
       if
       :: top == old -> top = n; n = 0; old = 0; break
       :: else
       fi
     }
  od
}

inline remove(result) {
  byte old, below;
  do
  :: atomic {
       old = top;
       if
       :: old == 0 -> result = EMPTY; break
       :: else -> nodes[old].held++
       fi
     };
     below = nodes[old].next;
     atomic {
       nodes[old].held--;
       if
       :: top == old ->
          top = below;
          result = nodes[old].value;
          nodes[old].used = 0;
          nodes[old].value = 0;
          nodes[old].next = 0;
          old = 0;
          below = 0;
          break
       :: else -> old = 0; below = 0
       fi
     }
  od
}
