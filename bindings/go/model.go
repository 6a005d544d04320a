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
	"reflect"
	"runtime"
	"time"
	"unsafe"
)

// An Operation of a type of your own.
type Operation[Input, Output any] struct {
	Process int   // below 2^31, or NoProcess
	Input   Input // what was called
	Call    int64 // when: a tick of any monotone clock
	Output  Output
	Return  int64 // when; Pending: it never did, and may have taken effect at any time after its call, or never
	// What it carries besides, for people: a server, a trace's id, an error's text. Values are integers, strings,
	// booleans, and slices of these.
	Fields map[string]any
}

// A Model says what an object does when its operations run one after the other. Only Init, and Step or LongStep, have to
// be there. Functions must give the same answer each time they are asked the same, and never change a state that they
// are given; this is tried now and then. They are called by one goroutine at a time in each check. A panic in them ends
// the check with an error that says where. They must not end the goroutine, as the Fatal of a test does.
type Model[State, Input, Output any] struct {
	// Name of the type in messages, in one word; "model" if empty.
	Name string
	// Init is the state in which an object begins, or several in any of which it may.
	Init func() []State
	// Step is the states after the operation: none where it is not possible, several where it is not determined. The
	// output is nil of an operation that never returned: any output is possible.
	Step func(state State, input Input, output *Output) []State
	// LongStep is asked instead of Step where it is there. The context ends with the time limit, and with the context
	// of WithContext. A step may then give up with the context's error; any other error ends the check.
	LongStep func(within context.Context, state State, input Input, output *Output) ([]State, error)
	// Equal says whether two states are the same. Without it they are compared by ==, or, where Go has none for the
	// type or it would compare addresses, by reflect.DeepEqual.
	Equal func(left, right State) bool
	// Hash of a state: equal states have equal hashes. With an Equal of your own and no Hash, one is
	// guessed of what states hold: where equal states do not hold the same, deciding takes longer.
	Hash func(state State) uint64
	// Partition is the part of the object that an operation touches, as anything that == compares. Parts do not know of
	// each other: each begins as Init says, and states are those of one part.
	Partition func(input Input) any
	// Pure says that the operation changes no state in which it is possible: a promise that makes deciding much faster.
	Pure func(input Input, output *Output) bool
	// For people; fmt's %v without them.
	DescribeState  func(state State) string
	DescribeInput  func(input Input) string
	DescribeOutput func(output Output) string
}

// CheckModel decides a history by a model. Operations stand in any order.
func CheckModel[State, Input, Output any](model Model[State, Input, Output], history []Operation[Input, Output],
	given ...Option) (*Verdict, error) {
	if mismatch != nil {
		return nil, mismatch
	}
	if model.Init == nil || model.Step == nil && model.LongStep == nil {
		return nil, errors.New("linchpin: a model has to have Init, and Step or LongStep")
	}
	s := newStates(optionsOf(given))
	if err := s.options.namesError(model.Name); err != nil {
		return nil, err
	}
	s.initial = func(emit func(any)) {
		for _, state := range model.Init() {
			emit(state)
		}
	}
	inputs, outputs := newSymbols(model.DescribeInput, len(history)), newSymbols(model.DescribeOutput, 0)
	// The Go compiler cannot know that what is held as any is a State; a nil interface is one, too.
	state := func(held any) State {
		typed, _ := held.(State)
		return typed
	}
	var nothing Output
	_, returnsNothing := any(nothing).(struct{})
	inputOf := func(asked question) Input { return inputs.values[inputs.at[asked.input]] }
	outputOf := func(asked question) *Output {
		switch {
		case !asked.returned:
			return nil
		case returnsNothing:
			return &nothing
		}
		return &outputs.values[outputs.at[asked.output]]
	}
	s.step = func(within context.Context, held any, asked question, emit func(any)) error {
		var next []State
		var err error
		if model.LongStep != nil {
			next, err = model.LongStep(within, state(held), inputOf(asked), outputOf(asked))
		} else {
			next = model.Step(state(held), inputOf(asked), outputOf(asked))
		}
		for i := range next {
			emit(next[i])
		}
		return err
	}
	if model.Equal != nil {
		s.equal = func(left, right any) bool { return model.Equal(state(left), state(right)) }
	}
	if model.Hash != nil {
		s.hash = func(held any) uint64 { return model.Hash(state(held)) }
	}
	if model.Pure != nil {
		s.pure = func(asked question) bool { return model.Pure(inputOf(asked), outputOf(asked)) }
	}
	if model.DescribeState != nil {
		s.describe = func(held any) string { return model.DescribeState(state(held)) }
	}

	texts := newSymbolTexts(len(history))
	steps := make([]C.linchpin_go_step, len(history))
	var keys []uint64
	parts, partCount := map[any]uint64{}, uint64(0)
	var beside extras
	var fault error
	err := s.guard("Describe or Partition function", func() {
		for i := range history {
			operation := &history[i]
			input, isNew := inputs.number(operation.Input, texts)
			caller, err := processOf(operation.Process)
			if err != nil && fault == nil {
				fault = fmt.Errorf("linchpin: operation %d: %w", i, err)
			}
			steps[i] = C.linchpin_go_step{call: C.int64_t(operation.Call), returned: C.int64_t(operation.Return),
				process: caller, input: C.uint32_t(input)}
			if isNew && model.Partition != nil {
				for len(keys) < int(input) {
					keys = append(keys, 0)
				}
				part := model.Partition(operation.Input)
				number, known := parts[part]
				if !known {
					number = partCount // what is not equal to itself is a part each time
					parts[part] = number
					partCount++
				}
				keys[input-1] = number
			}
			if operation.Fields != nil && fault == nil {
				fault = beside.inOrder(i, operation.Fields)
			}
			if operation.Return != Pending && !returnsNothing {
				output, _ := outputs.number(operation.Output, texts)
				steps[i].output = C.uint32_t(output)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if fault != nil {
		return nil, fault
	}
	var pures []C.uint8_t
	if s.pure != nil {
		if err := s.guard("Pure", func() { pures = s.puresByInput(steps) }); err != nil {
			return nil, err
		}
	}
	return s.check(model.Name, steps, texts, keys, pures, &beside)
}

// puresByInput says which inputs are pure whatever they returned, or never, so that C need not ask.
func (s *states) puresByInput(steps []C.linchpin_go_step) []C.uint8_t {
	var pures []C.uint8_t
	for i := range steps {
		step := &steps[i]
		if int64(step.returned) == Pending {
			continue
		}
		for len(pures) < int(step.input) {
			pures = append(pures, C.LINCHPIN_GO_NEVER_RETURNED)
		}
		of := C.uint8_t(C.LINCHPIN_GO_NOT_PURE)
		if s.pure(question{uint64(step.input), uint64(step.output), true}) {
			of = C.LINCHPIN_GO_IS_PURE
		}
		if known := &pures[step.input-1]; *known == C.LINCHPIN_GO_NEVER_RETURNED {
			*known = of
		} else if *known != of {
			*known = C.LINCHPIN_GO_IT_DEPENDS
		}
	}
	return pures
}

// check decides what has been prepared.
func (s *states) check(name string, steps []C.linchpin_go_step, texts *symbolTexts, keys []uint64, pures []C.uint8_t,
	beside *extras) (*Verdict, error) {
	s.texts = texts
	given, free := texts.pool.forC()
	defer free()
	extra, freeExtra := beside.forC()
	defer freeExtra()
	var failure *C.linchpin_error
	made := C.linchpin_go_model_history(given, first(steps), C.size_t(len(steps)), &extra, &failure)
	if made == nil {
		return nil, errorOf(failure)
	}
	history := hold(made)
	if name == "" {
		name = "model"
	}
	called := C.CString(name)
	defer C.free(unsafe.Pointer(called))
	options, freeOptions := s.options.forC("")
	defer freeOptions()
	within, cancel := context.WithCancel(s.options.context)
	defer cancel()
	if s.options.timeLimit > 0 {
		var end context.CancelFunc
		within, end = context.WithTimeout(within, s.options.timeLimit)
		defer end()
	}
	var verdict *C.linchpin_verdict
	for guessing := true; guessing || s.failure == errWrongGuess; guessing = false {
		if s.c != nil {
			s.free()
		}
		if err := s.begin(keys, pures, guessing); err != nil {
			return nil, err
		}
		s.within = within
		verdict = C.linchpin_go_check_model(s.c, history.c, called, s.has(keys), options, &failure)
		if s.failure == nil && verdict != nil {
			if err := s.options.cancelled(verdict); err != nil {
				s.fail(err)
			} else {
				_ = s.guard("Hash", s.auditLeft)
			}
		}
		if s.failure == errWrongGuess {
			C.linchpin_verdict_free(verdict)
			C.linchpin_error_free(failure)
		}
	}
	runtime.KeepAlive(history)
	if s.guess != nil {
		s.guess.settled = true
	}
	s.within = context.Background() // what describes a state later is not limited
	if s.failure != nil || verdict == nil {
		err := s.failure
		if verdict != nil {
			C.linchpin_verdict_free(verdict)
			C.linchpin_error_free(failure)
		} else if text := errorOf(failure); err == nil {
			err = text
		}
		s.free()
		return nil, err
	}
	return verdictOf(verdict, history, s), nil
}

// has says which of the callbacks there are.
func (s *states) has(keys []uint64) C.int {
	has := C.int(0)
	switch {
	case s.guess != nil:
		has |= C.LINCHPIN_GO_GUESSED
	case s.interned():
		has |= C.LINCHPIN_GO_INTERNED
	}
	if keys != nil {
		has |= C.LINCHPIN_GO_KEYS
	}
	if s.pure != nil {
		has |= C.LINCHPIN_GO_PURE
	}
	return has
}

// limitPassed waits for C to see what has ended a step as well: its clock was started a moment later, and its stop is
// requested a moment after the context is done.
func limitPassed(out *C.linchpin_successors) {
	for C.linchpin_expired(out) == 0 {
		time.Sleep(20 * time.Microsecond)
	}
}

// symbols are what is called, or returned, each with a number above 0 for C: the same for values that are the same by ==,
// and that a model cannot tell from each other. All others have one each.
type symbols[T any] struct {
	values   []T
	compares comparison
	known    map[any]uint64
	at       []int // by number: which of the values
	describe func(T) string
}

func newSymbols[T any](describe func(T) string, room int) *symbols[T] {
	if describe == nil {
		describe = func(value T) string { return fmt.Sprint(value) }
	}
	compares := identical.of(reflect.TypeOf((*T)(nil)).Elem())
	return &symbols[T]{compares: compares, known: make(map[any]uint64, room), describe: describe}
}

// number also says whether it is a new one.
func (s *symbols[T]) number(value T, texts *symbolTexts) (uint64, bool) {
	compared := s.compares == always || s.compares == depends && identical.told(value)
	if compared {
		if number, known := s.known[value]; known {
			return number, false
		}
	}
	number := texts.add(s.describe(value))
	if len(s.at) <= int(number) {
		s.at = append(s.at, make([]int, int(number)+1-len(s.at))...)
	}
	s.at[number] = len(s.values)
	s.values = append(s.values, value)
	if compared {
		s.known[value] = number
	}
	return number, true
}

// symbolTexts are the texts of all symbols by their number less 1, no two the same.
type symbolTexts struct {
	pool textPool
	used map[string]int // how often a description was met again
}

func newSymbolTexts(room int) *symbolTexts {
	pool := textPool{numbers: make(map[string]int, room), offsets: make([]uint64, 1, room+1)}
	return &symbolTexts{pool, map[string]int{}}
}

func (t *symbolTexts) add(text string) uint64 {
	before := len(t.pool.offsets)
	number := t.pool.number(text)
	for len(t.pool.offsets) == before { // it is another symbol's
		t.used[text]++
		number = t.pool.number(fmt.Sprintf("%s (%d)", text, t.used[text]+1))
	}
	return uint64(number) + 1
}

func (t *symbolTexts) text(number uint64) string {
	from, to := t.pool.offsets[number-1], t.pool.offsets[number]
	return string(t.pool.bytes[from : to-1])
}
