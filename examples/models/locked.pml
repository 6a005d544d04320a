/* A priority queue behind one lock, first in, first out among equals: linearizable.
 *
 *   linchpin reach --type "priority-queue ties=fifo" examples/models/locked.pml */
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
     take(best, result)
  fi;
  unlock()
}
