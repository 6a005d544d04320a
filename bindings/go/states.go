package linchpin

/*
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime/cgo"
	"unsafe"
)

// The states of one check. To C a state is its number here. Where states have hashes, equal states are one: comparing
// them then is comparing numbers, which needs no call from C to Go.
//
// With an Equal of the model's own and no Hash, a hash is guessed: of what a state holds, through pointers. It is a good
// one as long as states that Equal takes for the same hold the same. Where they do not, too few states would be one, and
// deciding would take long, but no verdict would be wrong. So that is looked for, and the check begins again without.
type states struct {
	options options
	initial func(emit func(any))
	step    func(within context.Context, state any, asked question, emit func(any)) error
	equal   func(left, right any) bool // nil: sameValue
	hash    func(state any) uint64     // nil: hashOfValue, if there is no equal either, or a guess
	pure    func(asked question) bool
	// nil: fmt's %v
	describe func(state any) string

	c      *C.linchpin_go_states
	handle cgo.Handle
	within context.Context
	texts  *symbolTexts

	values []any             // by number
	hashes []uint64          // by number; where states are not one with their equals, of some, else 0
	next   []uint64          // by number: the next state with the same hash, plus 1
	chains map[uint64]uint64 // by hash: the first state that has it, plus 1
	unused []uint64          // numbers that are free again
	leave  func(any)         // emit, as a function
	found  int               // how many states the function that is running has left
	audit  audit
	guess  *guess // nil: no hash is guessed

	failure error // the first: it ends the check
}

// An operation, by the numbers of its symbols.
type question struct {
	input, output uint64
	returned      bool
}

// What is tried of a model, as long as that costs little.
type audit struct {
	seen []uint64 // states that were compared with each other
	met  int      // states before a step, or before they are forgotten
}

// isNext says whether what is met now is tried.
func (a *audit) isNext() bool {
	a.met++
	return a.met <= auditedSteps || a.met%auditedOneIn == 0
}

// Of what is met each of the first ones is tried, then one in so many.
const auditedStates, auditedSteps, auditedOneIn, auditedLeft = 64, 256, 64, 1024

// How a guessed hash is held against Equal: states that come of the same operations, in any order, are often the same.
type guess struct {
	origin  uint64            // of what is found now: the operations that lead there, as a sum
	origins []uint64          // by number
	latest  map[uint64]uint64 // by origin: the state that was found last, plus 1
	tries   int               // comparisons of states with one hash
	steps   int
	settled bool // the check is over: what is told of it is told with this guess
}

// A guess that puts many different states on one hash is none, either.
const guessedTries, guessedTriesAStep = 1 << 14, 16

var errWrongGuess = errors.New("linchpin: states that are equal do not hold the same")

func newStates(o options) *states {
	s := &states{options: o}
	s.leave = s.emit
	return s
}

func (s *states) interned() bool { return s.hash != nil || s.equal == nil || s.guess != nil }

// begin is before C asks for states.
func (s *states) begin(keys []uint64, pures []C.uint8_t, guessing bool) error {
	s.values, s.hashes, s.next, s.unused = nil, nil, nil, nil
	s.chains = map[uint64]uint64{}
	s.audit, s.failure, s.guess = audit{}, nil, nil
	if guessing && s.equal != nil && s.hash == nil {
		s.guess = &guess{latest: map[uint64]uint64{}}
	}
	s.handle = cgo.NewHandle(s)
	s.c = C.linchpin_go_states_new(C.uintptr_t(s.handle), (*C.uint64_t)(unsafe.Pointer(first(keys))), C.size_t(len(keys)),
		first(pures), C.size_t(len(pures)))
	if s.c == nil {
		s.free()
		return errorOf(nil)
	}
	return nil
}

func (s *states) free() {
	C.linchpin_go_states_free(s.c)
	s.c = nil
	s.handle.Delete()
}

// guard runs what calls the model, and keeps and returns the error of its panic.
func (s *states) guard(function string, body func()) (err error) {
	returned := false
	defer func() {
		if value := recover(); !returned { // even if it is nil: so may be what it panicked with
			err = &ModelError{Function: function, Err: panicked(value)}
			s.fail(err)
		}
	}()
	body()
	returned = true
	return nil
}

func (s *states) fail(err error) {
	if s.failure == nil {
		s.failure = err
	}
}

func (s *states) same(left, right any) bool {
	if s.equal == nil {
		return sameValue(left, right)
	}
	return s.equal(left, right)
}

func (s *states) hashOf(state any) uint64 {
	switch {
	case s.hash != nil:
		return s.hash(state)
	case s.guess != nil:
		return contentHash(state)
	}
	return hashOfValue(state)
}

// number of a state, which has it until C drops it.
func (s *states) number(state any) (uint64, uint64) {
	if !s.interned() {
		var held uint64 // of the first ones, to be audited
		if len(s.values) < auditedLeft {
			held = contentHash(state)
		}
		return s.add(state, held), 0
	}
	hash := s.hashOf(state)
	for at := s.chains[hash]; at != 0; at = s.next[at-1] {
		if s.guess != nil {
			s.guess.tries++
		}
		if s.same(s.values[at-1], state) {
			return at - 1, hash
		}
	}
	number := s.add(state, hash)
	s.next[number] = s.chains[hash]
	s.chains[hash] = number + 1
	s.compare(number)
	if s.guess != nil {
		s.doubt(number)
	}
	return number, hash
}

// doubt looks whether the guessed hash of a new state is a good one.
func (s *states) doubt(number uint64) {
	g := s.guess
	if g.tries > guessedTries+guessedTriesAStep*g.steps {
		s.giveUpGuessing()
	}
	if other := g.latest[g.origin]; other != 0 {
		s.compareGuessed(other-1, number)
	}
	for len(g.origins) <= int(number) {
		g.origins = append(g.origins, 0)
	}
	g.origins[number] = g.origin
	g.latest[g.origin] = number + 1
}

func (s *states) compareGuessed(left, right uint64) bool {
	same := s.same(s.values[left], s.values[right])
	if same && s.hashes[left] != s.hashes[right] {
		s.giveUpGuessing()
	}
	return same
}

func (s *states) giveUpGuessing() {
	if !s.guess.settled {
		s.fail(errWrongGuess)
	}
}

// compare looks whether the model's own Equal and Hash go together.
func (s *states) compare(number uint64) {
	if s.hash == nil || len(s.audit.seen) == auditedStates {
		return
	}
	if !s.same(s.values[number], s.values[number]) {
		s.fail(&ModelError{Function: "Equal", Err: fmt.Errorf("the state %s is not equal to itself", s.text(s.values[number]))})
	}
	for _, other := range s.audit.seen {
		if other != number && s.hashes[other] != s.hashes[number] && s.same(s.values[other], s.values[number]) {
			s.fail(&ModelError{Function: "Hash",
				Err: fmt.Errorf("two states are equal and have different hashes: %s", s.text(s.values[number]))})
		}
	}
	s.audit.seen = append(s.audit.seen, number)
}

func (s *states) add(state any, hash uint64) uint64 {
	if last := len(s.unused) - 1; last >= 0 {
		number := s.unused[last]
		s.unused = s.unused[:last]
		s.values[number], s.hashes[number] = state, hash
		return number
	}
	s.values = append(s.values, state)
	s.hashes = append(s.hashes, hash)
	s.next = append(s.next, 0)
	return uint64(len(s.values) - 1)
}

// forget the states that C has dropped since.
func (s *states) forget() {
	if s.c.dropped_count == 0 {
		return
	}
	for _, number := range unsafe.Slice((*uint64)(unsafe.Pointer(s.c.dropped)), int(s.c.dropped_count)) {
		holders := unsafe.Slice((*uint32)(unsafe.Pointer(s.c.holders)), int(s.c.capacity))
		if holders[number] != 0 || s.values[number] == any(gone) {
			continue // it was found again after it was dropped, or dropped twice
		}
		if s.audit.isNext() {
			_ = s.guard("Hash", func() { s.heldBefore(number) })
		}
		if s.interned() {
			s.unlink(number)
		}
		if s.guess != nil && s.guess.latest[s.guess.origins[number]] == number+1 {
			delete(s.guess.latest, s.guess.origins[number])
		}
		s.values[number] = gone
		s.unused = append(s.unused, number)
		for i, seen := range s.audit.seen {
			if seen == number {
				s.audit.seen = append(s.audit.seen[:i], s.audit.seen[i+1:]...)
				break
			}
		}
	}
	s.c.dropped_count = 0
}

// What stands for a forgotten state.
var gone = new(byte)

func (s *states) unlink(number uint64) {
	hash := s.hashes[number]
	if s.chains[hash] == number+1 {
		if s.next[number] == 0 {
			delete(s.chains, hash)
		} else {
			s.chains[hash] = s.next[number]
		}
		return
	}
	for at := s.chains[hash]; at != 0; at = s.next[at-1] {
		if s.next[at-1] == number+1 {
			s.next[at-1] = s.next[number]
			return
		}
	}
}

// emit leaves a state for C. No state is forgotten before C has it, since forget comes before what finds states.
func (s *states) emit(state any) {
	number, hash := s.number(state)
	if s.found == int(s.c.found_capacity) && C.linchpin_go_room(s.c, C.size_t(2*s.found+1)) == 0 {
		panic("out of memory")
	}
	unsafe.Slice((*uint64)(unsafe.Pointer(s.c.found)), s.found+1)[s.found] = number
	unsafe.Slice((*uint64)(unsafe.Pointer(s.c.found_hashes)), s.found+1)[s.found] = hash
	s.found++
}

func (s *states) text(state any) string {
	if s.describe == nil {
		return fmt.Sprint(state)
	}
	return s.describe(state)
}

func of(c *C.linchpin_go_states) *states { return cgo.Handle(c.handle).Value().(*states) }

// answer is what C is told: how many states were found, or that the check has to end.
func (s *states) answer(out *C.linchpin_successors) C.int64_t {
	if s.failure == nil {
		return C.int64_t(s.found)
	}
	return -1
}

//export linchpinGoInitial
func linchpinGoInitial(c *C.linchpin_go_states, out *C.linchpin_successors) C.int64_t {
	s := of(c)
	s.forget()
	s.found = 0
	_ = s.guard("Init", func() { s.initial(s.leave) })
	return s.answer(out)
}

//export linchpinGoStep
func linchpinGoStep(c *C.linchpin_go_states, state, call, result C.uint64_t, returned C.int, out *C.linchpin_successors) C.int64_t {
	s := of(c)
	if s.failure != nil {
		return -1
	}
	s.forget()
	s.found = 0
	if s.within.Err() != nil || s.take(uint64(state), question{uint64(call), uint64(result), returned != 0}) {
		if s.failure != nil {
			return -1
		}
		limitPassed(out)
		return -C.LINCHPIN_GAVE_UP
	}
	return s.answer(out)
}

// take one step; true: it gave up since the time was over, or the caller's context done.
func (s *states) take(state uint64, asked question) (gaveUp bool) {
	returned := false
	defer func() {
		if value := recover(); !returned {
			s.fail(&ModelError{Function: "Step", Operation: s.texts.text(asked.input), Err: panicked(value)})
		}
	}()
	gaveUp = s.takeOrPanic(state, asked)
	returned = true
	return gaveUp
}

func (s *states) takeOrPanic(state uint64, asked question) (gaveUp bool) {
	from := s.values[state]
	audited := s.audit.isNext()
	var held uint64
	if audited {
		held = s.heldBefore(state)
	}
	if g := s.guess; g != nil {
		g.steps++
		g.origin = g.origins[state] + mix(mix(asked.input, asked.output), asked.input)
	}
	err := s.step(s.within, from, asked, s.leave)
	switch {
	case err == nil:
		if audited && s.hashNow(state) != held {
			s.fail(&ModelError{Function: "Step", Operation: s.texts.text(asked.input),
				Err: errors.New("it has changed the state that it was given, or the hash of a state changes")})
		}
		return false
	case (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) && s.within.Err() != nil:
		return true
	default:
		s.fail(&ModelError{Function: "Step", Operation: s.texts.text(asked.input), Err: err})
	}
	return false
}

// heldBefore is the hash of a state before a step, which must be that of when it was found: a step that made another one
// of it may have changed this one.
func (s *states) heldBefore(state uint64) uint64 {
	now := s.hashNow(state)
	if now != s.hashes[state] && (s.interned() || s.hashes[state] != 0) {
		s.fail(&ModelError{Function: "Step", Err: fmt.Errorf(
			"a state has changed since it was found, or the hash of a state changes: it is %s now", s.text(s.values[state]))})
	}
	return now
}

// auditLeft looks at the states that nobody has forgotten, as far as that costs little.
func (s *states) auditLeft() {
	for number, left := 0, auditedLeft; number < len(s.values) && left > 0; number++ {
		if s.values[number] != any(gone) {
			s.heldBefore(uint64(number))
			left--
		}
	}
}

// hashNow is of what a state holds at present, by the model's own Hash if there is one: it may hold what nobody looks at.
func (s *states) hashNow(state uint64) uint64 {
	if s.interned() {
		return s.hashOf(s.values[state])
	}
	return contentHash(s.values[state])
}

//export linchpinGoEqual
func linchpinGoEqual(c *C.linchpin_go_states, left, right C.uint64_t) C.int {
	s, same := of(c), false
	_ = s.guard("Equal", func() {
		if s.guess != nil {
			same = s.compareGuessed(uint64(left), uint64(right))
		} else {
			same = s.same(s.values[left], s.values[right])
		}
	})
	return truth(same)
}

//export linchpinGoPure
func linchpinGoPure(c *C.linchpin_go_states, call, result C.uint64_t, returned C.int) C.int {
	s, pure := of(c), false
	_ = s.guard("Pure", func() { pure = s.pure(question{uint64(call), uint64(result), returned != 0}) })
	return truth(pure)
}

//export linchpinGoDescribe
func linchpinGoDescribe(c *C.linchpin_go_states, state C.uint64_t, out *C.linchpin_text) {
	s := of(c)
	text := func() (text string) {
		returned := false
		defer func() {
			if value := recover(); !returned {
				text = "a state that cannot be described: " + panicked(value).Error()
			}
		}()
		text = s.text(s.values[state])
		returned = true
		return text
	}()
	if text == "" {
		return
	}
	bytes := C.CString(text)
	defer C.free(unsafe.Pointer(bytes))
	C.linchpin_write(out, bytes, C.size_t(len(text)))
}
