/* A priority queue whose remove asks for the size without the lock, while another remove may have taken everything out to
 * put back all but the minimum: it then finds nothing, although something is there.
 *
 *   linchpin reach --type "priority-queue ties=fifo" examples/models/wrong_empty.pml */
#include "items.pml"

inline put(v, p) {
  lock();
  append(v, p);
  unlock()
}

inline remove(result) {
  byte best, count, k;
  if
  :: size == 0 -> result = EMPTY
  :: else ->
     lock();
     count = size;
     if
     :: count == 0 -> result = EMPTY
     :: else ->
        find_best(best, count);
        result = items[best].value;
        size = 0;
        d_step { /* back with the others, in their order */
          do
          :: k < count ->
             if
             :: k != best ->
                items[size].value = items[k].value;
                items[size].prio = items[k].prio;
                size++
             :: else
             fi;
             k++
          :: else -> break
          od;
          items[size].value = 0;
          items[size].prio = 0;
          best = 0;
          count = 0;
          k = 0
        }
     fi;
     unlock()
  fi
}
