/* A priority queue that looks for the minimum before it takes the lock, to hold it for a shorter time. Meanwhile another
 * thread may have moved other items to the place that was found.
 *
 *   linchpin reach --type "priority-queue ties=fifo" examples/models/minimum_outside_lock.pml */
#include "items.pml"

inline put(v, p) {
  lock();
  append(v, p);
  unlock()
}

inline remove(result) {
  byte best, count;
  do
  :: count = size;
     if
     :: count == 0 -> result = EMPTY; break
     :: else
     fi;
     find_best(best, count);
     lock();
     if
     :: best < size -> take(best, result); unlock(); break
     :: else -> unlock() /* somebody was faster: again */
     fi
  od;
  best = 0;
  count = 0
}
