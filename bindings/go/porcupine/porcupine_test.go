package porcupine_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	linchpin "github.com/linchpin-check/linchpin/bindings/go"
	"github.com/linchpin-check/linchpin/bindings/go/porcupine"
)

// A write of a number, or nil: a read.
var register = porcupine.Model{
	Init: func() interface{} { return 0 },
	Step: func(state, input, output interface{}) (bool, interface{}) {
		if input == nil {
			return output == state, state
		}
		return true, input
	},
	DescribeOperation: func(input, output interface{}) string {
		if input == nil {
			return fmt.Sprintf("read sees %v", output)
		}
		return fmt.Sprintf("write of %v", input)
	},
}

func TestOperationsOfARegister(t *testing.T) {
	history := []porcupine.Operation{
		{ClientId: 0, Input: 100, Call: 0, Return: 100},
		{ClientId: 1, Call: 25, Output: 100, Return: 75},
		{ClientId: 2, Call: 30, Output: 0, Return: 60},
	}
	if !porcupine.CheckOperations(register, history) {
		t.Error("the second read may come first")
	}
	history[2].Call, history[2].Return = 76, 90
	if porcupine.CheckOperations(register, history) {
		t.Error("the second read is after the first")
	}
	if result := porcupine.CheckOperationsTimeout(register, history, time.Minute); result != porcupine.Illegal {
		t.Error(result)
	}
	history[2].Call = 75 // as the first returns, which is concurrent
	if !porcupine.CheckOperations(register, history) {
		t.Error("the reads are concurrent")
	}
	history[2].ClientId = 1 // and so they are at one client
	if !porcupine.CheckOperations(register, history) {
		t.Error("the reads are concurrent")
	}
	if !porcupine.CheckOperations(register, nil) {
		t.Error("nothing happened")
	}
}

func TestClientsNeedNotBeSaid(t *testing.T) {
	history := []porcupine.Operation{
		{Input: 1, Call: 0, Return: 100}, {Input: 2, Call: 10, Return: 90}, {Call: 20, Output: 1, Return: 80},
		{Call: 95, Output: 2, Return: 120}, {Call: 96, Output: 2, Return: 121},
	}
	if !porcupine.CheckOperations(register, history) {
		t.Error("all overlap")
	}
	// Their numbers may be of any size.
	for i := range history {
		history[i].ClientId = math.MaxInt32 + i
	}
	if result, _ := porcupine.CheckOperationsVerbose(register, history, 0); result != porcupine.Ok {
		t.Error("all overlap")
	}
}

func eventsOf(second int) []porcupine.Event {
	return []porcupine.Event{
		{Kind: porcupine.CallEvent, Value: 200, Id: 10},
		{Kind: porcupine.CallEvent, Id: 11, ClientId: 1},
		{Kind: porcupine.ReturnEvent, Value: 200, Id: 11, ClientId: 1},
		{Kind: porcupine.CallEvent, Id: 12, ClientId: 2},
		{Kind: porcupine.ReturnEvent, Value: second, Id: 12, ClientId: 2},
		{Kind: porcupine.ReturnEvent, Id: 10},
	}
}

func TestEventsOfARegister(t *testing.T) {
	if !porcupine.CheckEvents(register, eventsOf(200)) || porcupine.CheckEvents(register, eventsOf(0)) {
		t.Error("what was seen stays seen")
	}
	if result := porcupine.CheckEventsTimeout(register, eventsOf(0), time.Minute); result != porcupine.Illegal {
		t.Error(result)
	}
	result, info := porcupine.CheckEventsVerbose(register, eventsOf(200), 0)
	if orders := info.PartialLinearizations(); result != porcupine.Ok || !reflect.DeepEqual(orders, [][][]int{{{0, 1, 2}}}) {
		t.Error(result, orders)
	}
	operations := info.PartialLinearizationsOperations()[0][0]
	if operations[0].Input != 200 || operations[2].Call != 3 || operations[2].Return != 4 || operations[2].ClientId != 2 {
		t.Error(operations)
	}
}

func panicOf(body func()) (value interface{}) {
	defer func() { value = recover() }()
	body()
	return nil
}

func TestIncompleteEventsArePanics(t *testing.T) {
	for words, events := range map[string][]porcupine.Event{
		"10 never returns":    eventsOf(0)[:5],
		"11 is called twice":  append(eventsOf(0)[:2:2], eventsOf(0)[1]),
		"12 returns, and was": eventsOf(0)[4:5],
	} {
		value := panicOf(func() { porcupine.CheckEvents(register, events) })
		if err, is := value.(error); !is || !strings.Contains(err.Error(), words) {
			t.Error(value)
		}
	}
}

// A store: get, put and append, key by key.
type storeInput struct{ method, key, value string }

var store = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		var parts [][]porcupine.Operation
		at := map[string]int{}
		for _, operation := range history {
			key := operation.Input.(storeInput).key
			if _, known := at[key]; !known {
				at[key] = len(parts)
				parts = append(parts, nil)
			}
			parts[at[key]] = append(parts[at[key]], operation)
		}
		return parts
	},
	PartitionEvent: func(history []porcupine.Event) [][]porcupine.Event {
		var parts [][]porcupine.Event
		at, key := map[string]int{}, map[int]string{}
		for _, event := range history {
			if event.Kind == porcupine.CallEvent {
				key[event.Id] = event.Value.(storeInput).key
			}
			if _, known := at[key[event.Id]]; !known {
				at[key[event.Id]] = len(parts)
				parts = append(parts, nil)
			}
			parts[at[key[event.Id]]] = append(parts[at[key[event.Id]]], event)
		}
		return parts
	},
	Init: func() interface{} { return "" },
	Step: func(state, input, output interface{}) (bool, interface{}) {
		switch in := input.(storeInput); in.method {
		case "get":
			return output == state, state
		case "put":
			return true, in.value
		default:
			return true, state.(string) + in.value
		}
	},
}

func storeHistory(second string) []porcupine.Operation {
	return []porcupine.Operation{
		{ClientId: 0, Input: storeInput{"put", "x", "a"}, Call: 0, Return: 10},
		{ClientId: 1, Input: storeInput{"append", "y", "b"}, Call: 5, Return: 15},
		{ClientId: 0, Input: storeInput{"append", "x", "c"}, Call: 20, Return: 30},
		{ClientId: 2, Input: storeInput{"get", "y", ""}, Call: 20, Output: "b", Return: 30},
		{ClientId: 0, Input: storeInput{"get", "x", ""}, Call: 40, Output: second, Return: 50},
	}
}

func TestAStoreKeyByKey(t *testing.T) {
	result, info := porcupine.CheckOperationsVerbose(store, storeHistory("ac"), 0)
	if orders := info.PartialLinearizations(); result != porcupine.Ok ||
		!reflect.DeepEqual(orders, [][][]int{{{0, 1, 2}}, {{0, 1}}}) {
		t.Error(result, orders)
	}
	result, info = porcupine.CheckOperationsVerbose(store, storeHistory("ca"), time.Minute)
	orders := info.PartialLinearizations()
	if result != porcupine.Illegal || len(orders) != 2 || len(orders[0][0]) != 2 || len(orders[1][0]) != 2 {
		t.Error(result, orders)
	}
	if porcupine.CheckOperations(store, storeHistory("ca")) {
		t.Error("without evidence, too")
	}

	info.AddAnnotations([]porcupine.Annotation{
		{Tag: "server <1>", Start: 12, End: 3, Description: "restart"},
		{ClientId: 2, Start: 12, End: 30, Description: "slow", Details: "garbage"},
	})
	path := filepath.Join(t.TempDir(), "page.html")
	if err := porcupine.VisualizePath(store, info, path); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(path)
	if err != nil || len(page) < 50000 || !bytes.Contains(page, []byte("server &lt;1&gt;")) || !bytes.Contains(page, []byte("client 2")) {
		t.Error(err)
	}
	if err := porcupine.VisualizePath(store, info, "/no/such/folder/page.html"); err == nil {
		t.Error("that cannot be written")
	}
}

func TestEventsOfAStore(t *testing.T) {
	events := []porcupine.Event{
		{Kind: porcupine.CallEvent, Value: storeInput{"put", "x", "a"}, Id: 0},
		{Kind: porcupine.CallEvent, Value: storeInput{"put", "y", "b"}, Id: 1},
		{Kind: porcupine.ReturnEvent, Value: "", Id: 1},
		{Kind: porcupine.ReturnEvent, Value: "", Id: 0},
		{Kind: porcupine.CallEvent, Value: storeInput{"get", "x", ""}, Id: 2},
		{Kind: porcupine.ReturnEvent, Value: "a", Id: 2},
	}
	if !porcupine.CheckEvents(store, events) {
		t.Error("each key for itself")
	}
	events[5].Value = "b"
	if porcupine.CheckEvents(store, events) {
		t.Error("that is the other key's")
	}
}

// A register whose writes may be lost, and which begins as 0 or 5.
func lossy() porcupine.NondeterministicModel {
	return porcupine.NondeterministicModel{
		Init: func() []interface{} { return []interface{}{0, 5, 0} },
		Step: func(state, input, output interface{}) []interface{} {
			if input != nil {
				return []interface{}{state, input}
			}
			if output == state {
				return []interface{}{state}
			}
			return nil
		},
	}
}

func TestANondeterministicRegister(t *testing.T) {
	hashed := lossy()
	hashed.Equal = func(left, right interface{}) bool { return left == right }
	hashed.Hash = func(state interface{}) uint64 { return uint64(state.(int)) }
	slow := hashed
	slow.Hash = nil
	within := lossy()
	within.StepContext = func(_ context.Context, state, input, output interface{}) []interface{} {
		return lossy().Step(state, input, output)
	}
	within.Step = nil
	for i, nondeterministic := range []porcupine.NondeterministicModel{lossy(), hashed, slow, within} {
		model := nondeterministic.ToModel()
		for seen, want := range map[int]bool{5: true, 0: true, 7: true, 8: true, 1: false} {
			history := []porcupine.Operation{
				{Input: 7, Call: 0, Return: 10}, {Input: 8, Call: 20, Return: 30}, {Output: seen, Call: 40, Return: 50},
				{Output: seen, Call: 60, Return: 70},
			}
			if porcupine.CheckOperations(model, history) != want {
				t.Error(i, seen, want)
			}
			history[3].Output = seen + 1
			if porcupine.CheckOperations(model, history) {
				t.Error(i, seen, "is not what is seen next")
			}
		}
		if text := model.DescribeState(model.Init()); text != "{0, 5}" {
			t.Error(text)
		}
	}
}

func TestATimeoutHoldsInsideAStep(t *testing.T) {
	slow := register
	slow.Step = nil
	slow.StepContext = func(ctx context.Context, state, input, output interface{}) (bool, interface{}) {
		<-ctx.Done()
		return false, nil
	}
	history := []porcupine.Operation{{Input: 1, Return: 1}}
	if result := porcupine.CheckOperationsTimeout(slow, history, 20*time.Millisecond); result != porcupine.Unknown {
		t.Error(result)
	}
	_, info := porcupine.CheckOperationsVerbose(slow, history, 20*time.Millisecond)
	if orders := info.PartialLinearizations(); len(orders) != 1 {
		t.Error(orders)
	}
}

func TestATimeoutHoldsBetweenSteps(t *testing.T) {
	slow := register
	slow.Step = func(state, input, output interface{}) (bool, interface{}) {
		time.Sleep(5 * time.Millisecond)
		return register.Step(state, input, output)
	}
	var history []porcupine.Operation
	for i := int64(0); i < 1000; i++ {
		history = append(history, porcupine.Operation{ClientId: int(i % 10), Input: int(i), Call: i, Return: i + 10})
	}
	began := time.Now()
	if result := porcupine.CheckOperationsTimeout(slow, history, 50*time.Millisecond); result != porcupine.Unknown {
		t.Error(result)
	}
	if took := time.Since(began); took > 500*time.Millisecond {
		t.Error(took)
	}
}

func TestWhatIsWrongWithAModelIsAPanic(t *testing.T) {
	lost := errors.New("lost")
	broken := register
	broken.Step = func(state, input, output interface{}) (bool, interface{}) { panic(lost) }
	history := []porcupine.Operation{{Input: 1, Return: 1}}
	value := panicOf(func() { porcupine.CheckOperations(broken, history) })
	err, is := value.(error)
	var ours *linchpin.ModelError
	if !is || !errors.As(err, &ours) || !errors.Is(err, lost) || !strings.Contains(err.Error(), "porcupine_test.go:") {
		t.Error(value)
	}
	if panicOf(func() { porcupine.CheckOperations(porcupine.Model{}, history) }) == nil {
		t.Error("there is no Init")
	}
}

// The same history as events, which has to have no two things at one time.
func asEvents(history []porcupine.Operation) []porcupine.Event {
	var events []porcupine.Event
	for tick := int64(0); tick < int64(2*len(history)); tick++ {
		for id, operation := range history {
			if operation.Call == tick {
				events = append(events, porcupine.Event{Kind: porcupine.CallEvent, Value: operation.Input, Id: id})
			}
			if operation.Return == tick {
				events = append(events, porcupine.Event{Kind: porcupine.ReturnEvent, Value: operation.Output, Id: id})
			}
		}
	}
	return events
}

// One model of two keys, which says nothing of partitions.
var wholeStore = porcupine.Model{
	Init: func() interface{} { return [2]string{} },
	Step: func(state, input, output interface{}) (bool, interface{}) {
		in, next := input.(storeInput), state.([2]string)
		ok, value := store.Step(next[in.key[0]-'x'], input, output)
		next[in.key[0]-'x'] = value.(string)
		return ok, next
	},
}

func TestWaysToSayTheSame(t *testing.T) {
	random := rand.New(rand.NewSource(5))
	right := 0
	const count = 1000
	for i := 0; i < count; i++ {
		history := make([]porcupine.Operation, 1+random.Intn(6))
		ticks := random.Perm(2 * len(history))
		for j := range history {
			call, back := int64(ticks[2*j]), int64(ticks[2*j+1])
			if back < call {
				call, back = back, call
			}
			input := storeInput{method: []string{"get", "put", "append"}[random.Intn(3)], key: []string{"x", "y"}[random.Intn(2)]}
			operation := porcupine.Operation{ClientId: j % 2, Input: input, Call: call, Return: back}
			if input.method == "get" {
				operation.Output = []string{"", "a", "b", "ab"}[random.Intn(4)]
			} else {
				input.value = []string{"a", "b"}[random.Intn(2)]
				operation.Input = input
			}
			history[j] = operation
		}
		slow := wholeStore
		slow.Equal = func(left, right interface{}) bool { return left == right }
		answer := porcupine.CheckOperations(wholeStore, history)
		result, info := porcupine.CheckOperationsVerbose(store, history, time.Minute)
		if porcupine.CheckOperations(slow, history) != answer || porcupine.CheckOperations(store, history) != answer ||
			porcupine.CheckEvents(store, asEvents(history)) != answer || (result == porcupine.Ok) != answer {
			t.Fatal(answer, result, history)
		}
		if answer {
			right++
		}
		for part, orders := range info.PartialLinearizationsOperations() { // all are legal
			state := store.Init()
			for _, operation := range orders[0] {
				possible, next := store.Step(state, operation.Input, operation.Output)
				if !possible {
					t.Fatal(part, orders)
				}
				state = next
			}
		}
	}
	if right < count/10 || right > count*9/10 {
		t.Error(right)
	}
}

func TestMetadataAreShown(t *testing.T) {
	model := register
	model.DescribeOperationMetadata = func(info interface{}) string {
		if info == "bad" {
			panic("cannot be described")
		}
		return fmt.Sprintf("at server %v", info)
	}
	history := []porcupine.Operation{
		{ClientId: 0, Input: 1, Call: 0, Return: 10, Metadata: 7},
		{ClientId: 1, Output: 2, Call: 20, Return: 30, Metadata: "bad"},
		{ClientId: 1, Output: 1, Call: 40, Return: 50},
	}
	if told := shownBy(t, model, history); !strings.Contains(told, "at server 7") ||
		!strings.Contains(told, "cannot be described: cannot be described") {
		t.Error(told)
	}
	model.DescribeOperationMetadata = nil
	if told := shownBy(t, model, history); strings.Contains(told, "at server 7") || !strings.Contains(told, "\"metadata\"") {
		t.Error(told)
	}
}

// What the report says of the history, unpacked.
func shownBy(t *testing.T, model porcupine.Model, history []porcupine.Operation) string {
	t.Helper()
	var page bytes.Buffer
	result, info := porcupine.CheckOperationsVerbose(model, history, 0)
	if err := porcupine.Visualize(model, info, &page); err != nil || result != porcupine.Illegal {
		t.Fatal(result, err)
	}
	const mark = `id="history-0">`
	_, after, _ := strings.Cut(page.String(), mark)
	packed, _, _ := strings.Cut(after, "<")
	deflated, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := zlib.NewReader(bytes.NewReader(deflated))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
