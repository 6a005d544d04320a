package porcupine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sort"
	"sync"
	"time"

	linchpin "github.com/linchpin-check/linchpin/bindings/go"
)

// CheckOperations says whether a history is linearizable.
func CheckOperations(model Model, history []Operation) bool {
	result, _ := decide(model, partitionsOf(model, history), 0, false)
	return result == Ok
}

// CheckOperationsTimeout is Unknown when the timeout comes first; 0 is none.
func CheckOperationsTimeout(model Model, history []Operation, timeout time.Duration) CheckResult {
	result, _ := decide(model, partitionsOf(model, history), timeout, false)
	return result
}

// CheckOperationsVerbose also has what Visualize shows. It decides every partition even after a violation.
func CheckOperationsVerbose(model Model, history []Operation, timeout time.Duration) (CheckResult, LinearizationInfo) {
	return decide(model, partitionsOf(model, history), timeout, true)
}

// CheckEvents says whether a history is linearizable.
func CheckEvents(model Model, history []Event) bool {
	result, _ := decide(model, partitionsOfEvents(model, history), 0, false)
	return result == Ok
}

// CheckEventsTimeout is Unknown when the timeout comes first; 0 is none.
func CheckEventsTimeout(model Model, history []Event, timeout time.Duration) CheckResult {
	result, _ := decide(model, partitionsOfEvents(model, history), timeout, false)
	return result
}

// CheckEventsVerbose also has what Visualize shows. It decides every partition even after a violation.
func CheckEventsVerbose(model Model, history []Event, timeout time.Duration) (CheckResult, LinearizationInfo) {
	return decide(model, partitionsOfEvents(model, history), timeout, true)
}

func partitionsOf(model Model, history []Operation) [][]Operation {
	if model.Partition == nil {
		return [][]Operation{history}
	}
	return model.Partition(history)
}

func partitionsOfEvents(model Model, history []Event) [][]Operation {
	parts := [][]Event{history}
	if model.PartitionEvent != nil {
		parts = model.PartitionEvent(history)
	}
	operations := make([][]Operation, len(parts))
	for i, events := range parts {
		operations[i] = operationsOf(events)
	}
	return operations
}

// operationsOf has one operation a call, whose times are the places of its events.
func operationsOf(events []Event) []Operation {
	operations := make([]Operation, 0, len(events)/2)
	open := make(map[int]int, 8) // by Id: which operation
	for place, event := range events {
		at, called := open[event.Id]
		switch {
		case event.Kind == CallEvent && called:
			panic(fmt.Errorf("porcupine: operation %d is called twice", event.Id))
		case event.Kind == CallEvent:
			open[event.Id] = len(operations)
			operations = append(operations, Operation{ClientId: event.ClientId, Input: event.Value, Call: int64(place),
				Metadata: event.Metadata})
		case !called:
			panic(fmt.Errorf("porcupine: operation %d returns, and was not called", event.Id))
		default:
			operations[at].Output, operations[at].Return = event.Value, int64(place)
			if event.Metadata != nil {
				operations[at].Metadata = event.Metadata
			}
			delete(open, event.Id)
		}
	}
	for id := range open {
		panic(fmt.Errorf("porcupine: operation %d never returns: let it return after all others", id))
	}
	return operations
}

// An operation to the library: what it returned is a part of it, since that is how it is described.
type call struct{ input, output interface{} }

type (
	step  = linchpin.Operation[call, struct{}]
	model = linchpin.Model[interface{}, call, struct{}]
)

func modelOf(given Model) model {
	if given.Init == nil || given.Step == nil && given.StepContext == nil {
		panic(errors.New("porcupine: a model has to have Init, and Step or StepContext"))
	}
	made := model{
		Init:          func() []interface{} { return []interface{}{given.Init()} },
		Equal:         given.Equal,
		Hash:          given.Hash,
		DescribeState: given.DescribeState,
		DescribeInput: func(c call) string {
			if given.DescribeOperation == nil {
				return fmt.Sprintf("%v -> %v", c.input, c.output)
			}
			return given.DescribeOperation(c.input, c.output)
		},
	}
	after := func(possible bool, state interface{}) []interface{} {
		if !possible {
			return nil
		}
		return []interface{}{state}
	}
	if given.StepContext == nil {
		made.Step = func(state interface{}, c call, _ *struct{}) []interface{} {
			return after(given.Step(state, c.input, c.output))
		}
		return made
	}
	made.LongStep = func(ctx context.Context, state interface{}, c call, _ *struct{}) ([]interface{}, error) {
		next := after(given.StepContext(ctx, state, c.input, c.output))
		// Of one that was cut short, what it says is nothing.
		return next, ctx.Err()
	}
	return made
}

// metadataOf is how metadata are described; nil: nobody looks at them.
func metadataOf(given Model, looked bool) func(interface{}) string {
	if !looked {
		return nil
	}
	return func(metadata interface{}) (text string) {
		defer func() {
			if value := recover(); value != nil {
				text = fmt.Sprintf("metadata that cannot be described: %v", value)
			}
		}()
		if given.DescribeOperationMetadata == nil {
			return fmt.Sprint(metadata)
		}
		return given.DescribeOperationMetadata(metadata)
	}
}

// stepsOf has what the library decides. Metadata are for people, so for verdicts that are looked at: where there is a
// function that describes them.
func stepsOf(operations []Operation, describe func(interface{}) string) []step {
	steps := make([]step, len(operations))
	for i, operation := range operations {
		if operation.Return == linchpin.Pending {
			operation.Return-- // the library's word for never
		}
		steps[i] = step{Process: operation.ClientId, Input: call{operation.Input, operation.Output}, Call: operation.Call,
			Return: operation.Return}
		if operation.Metadata != nil && describe != nil {
			steps[i].Fields = map[string]any{"metadata": describe(operation.Metadata)}
		}
	}
	// To the library a process does one thing at a time, and has a number below 2^31. A client, which need not be given, may
	// do several, and have any.
	byCall := make([]int, len(steps))
	for i := range byCall {
		byCall[i] = i
	}
	sort.SliceStable(byCall, func(i, j int) bool { return steps[byCall[i]].Call < steps[byCall[j]].Call })
	busy := map[int]int64{} // until when, by client
	for _, i := range byCall {
		client := steps[i].Process
		if until, met := busy[client]; met && steps[i].Call <= until || client < 0 || client > math.MaxInt32 {
			steps[i].Process = linchpin.NoProcess
		} else {
			busy[steps[i].Process] = steps[i].Return
		}
	}
	return steps
}

// Histories that are shorter are decided by the goroutine that asks.
const manyOperations = 4096

// decide partitions, several at a time.
func decide(given Model, parts [][]Operation, timeout time.Duration, verbose bool) (CheckResult, LinearizationInfo) {
	decided := modelOf(given)
	describe := metadataOf(given, verbose)
	var deadline time.Time
	if timeout > 0 {
		deadline = time.Now().Add(timeout)
	}
	within, stop := context.WithCancel(context.Background())
	defer stop()
	quick := make([]CheckResult, len(parts)) // empty: the library decided, or nobody
	verdicts, failures := make([]*linchpin.Verdict, len(parts)), make([]error, len(parts))
	work := func(part int) {
		left := time.Duration(0)
		if timeout > 0 {
			left = time.Until(deadline)
		}
		if within.Err() != nil || timeout > 0 && left <= 0 {
			return
		}
		options := []linchpin.Option{linchpin.TimeLimit(left), linchpin.WithContext(within)}
		if !verbose {
			if result, decided := quickly(within, given, parts[part], deadline); decided {
				quick[part] = result
				if result == Illegal {
					stop()
				}
				return
			}
			options = append(options, linchpin.NoWitness())
		}
		verdict, err := linchpin.CheckModel(decided, stepsOf(parts[part], describe), options...)
		verdicts[part], failures[part] = verdict, err
		if err != nil || verdict.Kind == linchpin.Violation && !verbose {
			stop()
		}
	}
	share(parts, work)

	result := Ok
	for part := range parts {
		switch verdict := verdicts[part]; {
		case quick[part] == Ok:
		case quick[part] == Illegal:
			result = Illegal
		case failures[part] != nil && !errors.Is(failures[part], context.Canceled):
			panic(failures[part])
		case verdict == nil || verdict.Kind == linchpin.Undecided:
			if result == Ok {
				result = Unknown
			}
			if verdict != nil && verdict.Reason != "time" {
				panic(fmt.Errorf("porcupine: a partition was not decided: %s", verdict.Reason))
			}
		case verdict.Kind == linchpin.Violation:
			result = Illegal
		}
	}
	if !verbose {
		for _, verdict := range verdicts {
			if verdict != nil {
				verdict.Close()
			}
		}
		return result, LinearizationInfo{}
	}
	return result, LinearizationInfo{partitions: parts, verdicts: verdicts, timeout: timeout}
}

// share has `work` done for each part, by several goroutines where that is worth it.
func share(parts [][]Operation, work func(part int)) {
	operations := 0
	for _, part := range parts {
		operations += len(part)
	}
	if operations < manyOperations {
		for part := range parts {
			work(part)
		}
		return
	}
	var workers sync.WaitGroup
	next := make(chan int)
	for i := 0; i < runtime.GOMAXPROCS(0) && i < len(parts); i++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for part := range next {
				work(part)
			}
		}()
	}
	for part := range parts {
		next <- part
	}
	close(next)
	workers.Wait()
}
