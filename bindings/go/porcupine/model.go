// Package porcupine has the names and the meaning of github.com/anishathalye/porcupine, decided by Linchpin: a project
// moves by two lines in its go.mod (docs/bindings/go.md), and no change in its code.
//
// Functions of this interface return no errors. What Linchpin finds wrong with a model or a history, a panic in a model
// among it, is a panic of the goroutine that called, with a [*linchpin.ModelError] or another error as its value.
package porcupine

import (
	"context"
	"fmt"
	"strings"

	linchpin "github.com/linchpin-check/linchpin/bindings/go"
)

// An Operation was called at one time and returned at another, both inclusive: one that is called when another returns
// is concurrent with it.
type Operation struct {
	ClientId int // whose it was, from 0; for people
	Input    interface{}
	Call     int64
	Output   interface{}
	Return   int64
	Metadata interface{} // for people
	_        struct{}    // fields are given by name
}

// An EventKind is whether an event is a call or a return.
type EventKind bool

// The kinds of events.
const (
	CallEvent   EventKind = false
	ReturnEvent EventKind = true
)

// An Event is the call or the return of an operation. Events stand in the order in which they happened; both of one
// operation have its Id. Each call has its return: an operation of which nobody knows the fate returns after all others,
// with an output that the model takes for anything.
type Event struct {
	ClientId int // whose it was, from 0; for people
	Kind     EventKind
	Value    interface{} // the input, or the output
	Id       int
	Metadata interface{} // for people; the return's goes before the call's
	_        struct{}    // fields are given by name
}

// A Model says what an object does when its operations run one after the other. Init, and Step or StepContext, have to be
// there. Functions never change the states that they are given. Several goroutines may call them, for different
// partitions.
type Model struct {
	// What is decided apart: the history is linearizable if each of these is. Each begins as Init says. nil: all of it.
	Partition      func(history []Operation) [][]Operation
	PartitionEvent func(history []Event) [][]Event
	// The state in which the object begins.
	Init func() interface{}
	// Whether the operation is possible, and the state after it.
	Step func(state interface{}, input interface{}, output interface{}) (bool, interface{})
	// Asked instead of Step where it is there; the context ends with the timeout.
	StepContext func(ctx context.Context, state interface{}, input interface{}, output interface{}) (bool, interface{})
	// Whether two states are the same; nil: by ==, or reflect.DeepEqual where Go has none for them.
	Equal func(state1, state2 interface{}) bool
	// Equal states have equal hashes. Beside an Equal it makes deciding faster; without one it is not needed.
	Hash func(state interface{}) uint64
	// For people; nil: by %v.
	DescribeOperation         func(input interface{}, output interface{}) string
	DescribeState             func(state interface{}) string
	DescribeOperationMetadata func(info interface{}) string
	_                         struct{} // fields are given by name
}

// A NondeterministicModel is a Model of an object that may begin in several states, or do several things at a step.
type NondeterministicModel struct {
	Partition      func(history []Operation) [][]Operation
	PartitionEvent func(history []Event) [][]Event
	// The states in any of which the object may begin.
	Init func() []interface{}
	// The states in any of which it may be afterwards; none: the operation is not possible.
	Step                      func(state interface{}, input interface{}, output interface{}) []interface{}
	StepContext               func(ctx context.Context, state interface{}, input interface{}, output interface{}) []interface{}
	Equal                     func(state1, state2 interface{}) bool
	Hash                      func(state interface{}) uint64
	DescribeOperation         func(input interface{}, output interface{}) string
	DescribeState             func(state interface{}) string
	DescribeOperationMetadata func(info interface{}) string
	_                         struct{} // fields are given by name
}

// ToModel is the Model whose states are the states that the object may be in, as a slice without equal ones.
func (nm *NondeterministicModel) ToModel() Model {
	of := *nm
	if of.Step == nil && of.StepContext == nil {
		panic("porcupine: a model has to have Step or StepContext")
	}
	if of.Equal == nil {
		of.Equal = linchpin.EqualValues
		if of.Hash == nil {
			of.Hash = linchpin.HashValue
		}
	}
	if of.StepContext == nil {
		of.StepContext = func(_ context.Context, state, input, output interface{}) []interface{} {
			return of.Step(state, input, output)
		}
	}
	among := func(states []interface{}, wanted interface{}) bool {
		for _, state := range states {
			if of.Equal(state, wanted) {
				return true
			}
		}
		return false
	}
	joined := func(states, more []interface{}) []interface{} {
		for _, state := range more {
			if !among(states, state) {
				states = append(states, state)
			}
		}
		return states
	}
	step := func(ctx context.Context, held, input, output interface{}) (bool, interface{}) {
		var after []interface{}
		for _, state := range held.([]interface{}) {
			after = joined(after, of.StepContext(ctx, state, input, output))
			if ctx.Err() != nil {
				return false, nil
			}
		}
		return len(after) > 0, after
	}
	model := Model{
		Partition:      of.Partition,
		PartitionEvent: of.PartitionEvent,
		Init:           func() interface{} { return joined(nil, of.Init()) },
		Step: func(state, input, output interface{}) (bool, interface{}) {
			return step(context.Background(), state, input, output)
		},
		StepContext: step,
		Equal: func(left, right interface{}) bool {
			some, others := left.([]interface{}), right.([]interface{})
			for _, state := range some {
				if !among(others, state) {
					return false
				}
			}
			return len(some) == len(others) // neither has a state twice
		},
		DescribeOperation: of.DescribeOperation,
		DescribeState: func(held interface{}) string {
			var texts []string
			for _, state := range held.([]interface{}) {
				if of.DescribeState == nil {
					texts = append(texts, fmt.Sprint(state))
				} else {
					texts = append(texts, of.DescribeState(state))
				}
			}
			return "{" + strings.Join(texts, ", ") + "}"
		},
		DescribeOperationMetadata: of.DescribeOperationMetadata,
	}
	if of.Hash != nil {
		model.Hash = func(held interface{}) uint64 {
			sum := uint64(0) // whatever the order
			for _, state := range held.([]interface{}) {
				sum += of.Hash(state)
			}
			return sum
		}
	}
	return model
}

// A CheckResult is the answer.
type CheckResult string

// The answers.
const (
	Unknown CheckResult = "Unknown" // the timeout came first
	Ok      CheckResult = "Ok"
	Illegal CheckResult = "Illegal"
)
