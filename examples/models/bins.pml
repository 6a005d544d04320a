/* A priority queue of one bin a priority, each a FIFO queue with a lock of its own; remove asks bin after bin and takes
 * from the first that has something. Known to be quiescently consistent (Herlihy and Shavit, The Art of Multiprocessor
 * Programming, chapter 15: SimpleLinear) and not linearizable: something may be put into a bin that has been asked, and
 * then something worse into one that has not.
 *
 *   linchpin reach --type "priority-queue ties=fifo" examples/models/bins.pml */

typedef Bin { VALUE value[CAPACITY]; byte size; bit locked }

Bin bins[PRIORITIES + 1]; /* 0 is not used */

inline lock(b) { atomic { !bins[b].locked -> bins[b].locked = 1 } }
inline unlock(b) { bins[b].locked = 0 }

inline put(v, p) {
  lock(p);
  d_step {
    bins[p].value[bins[p].size] = v;
    bins[p].size++
  }
  unlock(p)
}

inline remove(result) {
  byte b = 1, i;
  result = EMPTY;
  do
  :: b <= PRIORITIES && result == EMPTY ->
     lock(b);
     if
     :: bins[b].size > 0 ->
        d_step {
          result = bins[b].value[0];
          bins[b].size--;
          do
          :: i < bins[b].size -> bins[b].value[i] = bins[b].value[i + 1]; i++
          :: else -> break
          od;
          bins[b].value[i] = 0;
          i = 0
        }
     :: else
     fi;
     unlock(b);
     b++
  :: else -> break
  od;
  b = 0
}
