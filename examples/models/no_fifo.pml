/* A priority queue that fills the hole of a removed item with the last one, as a heap does: of equals, not always the
 * oldest is removed. With no FIFO among equals asked for ('--type "priority-queue ties=any"') it is linearizable.
 *
 *   linchpin reach --type "priority-queue ties=fifo" examples/models/no_fifo.pml */
#include "items.pml"

inline put(v, p) {
  lock();
  append(v, p);
  unlock()
}

inline remove(result) {
  byte best;
  lock();
  if
  :: size == 0 -> result = EMPTY
  :: else ->
     find_best(best, size);
     d_step {
       size--;
       result = items[best].value;
       items[best].value = items[size].value;
       items[best].prio = items[size].prio;
       items[size].value = 0;
       items[size].prio = 0;
       best = 0
     }
  fi;
  unlock()
}
