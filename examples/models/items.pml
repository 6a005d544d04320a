/* What the priority queues beside this file have in common: a lock, and an array of items in order of insertion, so that
 * the first of several items with one priority is the oldest. An array of CAPACITY items never overflows: 'linchpin
 * reach' has no more than so many values in the object at a time.
 *
 * Two things keep the states few. Changes of the array are one step (d_step): whoever holds the lock is alone, and
 * whoever looks without it sees none of them half done, which is more than an implementation promises, so that a bug
 * that is found all the same is one. And counters are set to 0 when they are done with: a value that nobody reads again
 * would make two states of one. */

typedef Item { VALUE value; byte prio }

Item items[CAPACITY];
byte size;
bit locked;

inline lock() { atomic { !locked -> locked = 1 } }
inline unlock() { locked = 0 }

inline append(v, p) {
  d_step {
    items[size].value = v;
    items[size].prio = p;
    size++
  }
}

/* best = the index of the oldest item with the best priority, of the first 'count' > 0. */
inline find_best(best, count) {
  byte i = 1;
  best = 0;
  do
  :: i < count ->
     if
     :: PRECEDES(items[i].prio, items[best].prio) -> best = i
     :: else
     fi;
     i++
  :: else -> break
  od;
  i = 0
}

/* Takes items[index] out, which becomes 0; the later ones move up. */
inline take(index, result) {
  d_step {
    result = items[index].value;
    size--;
    do
    :: index < size ->
       items[index].value = items[index + 1].value;
       items[index].prio = items[index + 1].prio;
       index++
    :: else -> break
    od;
    items[size].value = 0;
    items[size].prio = 0;
    index = 0
  }
}
