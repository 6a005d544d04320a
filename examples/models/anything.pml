/* No container at all: a remove returns anything that was ever put, or nothing. Every automaton finds its violation, so
 * this is what to try first: with --automaton it shows how short each one can be. For every type that has automata.
 *
 *   linchpin reach --type "priority-queue ties=fifo" --automaton covered-1 examples/models/anything.pml */

VALUE seen[CAPACITY];
byte known, next;

inline keep(v) {
  d_step {
    seen[next] = v;
    next = (next + 1) % CAPACITY;
    known = (known < CAPACITY -> known + 1 : known)
  }
}

#ifdef PRIORITIES
inline put(v, p) { keep(v) }
#else
inline put(v) { keep(v) }
#endif

inline remove(result) {
  byte i;
  if
  :: result = EMPTY
  :: known > 0 ->
     atomic {
       do
       :: i + 1 < known -> i++
       :: break
       od;
       result = seen[i];
       i = 0
     }
  fi
}
