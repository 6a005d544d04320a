package porcupine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-check/linchpin/bindings/go/porcupine"
)

// A set of numbers: an input adds one, or, with `all`, looks at all of them.
type setInput struct {
	all   bool
	value int
}

var set = porcupine.Model{
	Init: func() interface{} { return []int{} },
	Step: func(state, input, output interface{}) (bool, interface{}) {
		held, in := state.([]int), input.(setInput)
		if in.all {
			seen := append([]int{}, output.([]int)...)
			sort.Ints(seen)
			return reflect.DeepEqual(seen, held), state
		}
		at := sort.SearchInts(held, in.value)
		if at < len(held) && held[at] == in.value {
			return true, state
		}
		next := append(append(append([]int{}, held[:at]...), in.value), held[at:]...)
		return true, next
	},
	Equal: func(left, right interface{}) bool { return reflect.DeepEqual(left, right) },
}

func TestASetThatIsSeenAsAWhole(t *testing.T) {
	history := func(seen ...int) []porcupine.Operation {
		return []porcupine.Operation{
			{ClientId: 0, Input: setInput{value: 3}, Call: 0, Return: 10},
			{ClientId: 1, Input: setInput{value: 1}, Call: 5, Return: 40},
			{ClientId: 2, Input: setInput{value: 3}, Call: 12, Return: 14},
			{ClientId: 0, Input: setInput{all: true}, Output: seen, Call: 20, Return: 30},
		}
	}
	for _, seen := range [][]int{{3}, {3, 1}, {1, 3}} {
		if !porcupine.CheckOperations(set, history(seen...)) {
			t.Error(seen)
		}
	}
	for _, seen := range [][]int{{}, {1}, {3, 3}, {1, 2, 3}} {
		if porcupine.CheckOperations(set, history(seen...)) {
			t.Error(seen)
		}
	}
}

// A register of a store as etcd has it: nothing at first; a compare-and-set says whether it found what it wanted. What
// timed out has an output that says that nobody knows its fate.
type cellInput struct {
	method     string // read, write, cas
	value, new int
}

type cellOutput struct {
	unknown bool
	done    bool // of cas
	exists  bool // of read
	value   int
}

type cell struct {
	exists bool
	value  int
}

var etcdRegister = porcupine.NondeterministicModel{
	Init: func() []interface{} { return []interface{}{cell{}} },
	Step: func(state, input, output interface{}) []interface{} {
		held, in, out := state.(cell), input.(cellInput), output.(cellOutput)
		switch in.method {
		case "read":
			if out.unknown || out.exists == held.exists && (!held.exists || out.value == held.value) {
				return []interface{}{held}
			}
			return nil
		case "write":
			if out.unknown { // it may have been lost
				return []interface{}{held, cell{true, in.value}}
			}
			return []interface{}{cell{true, in.value}}
		}
		found := held.exists && held.value == in.value
		switch {
		case out.unknown && found:
			return []interface{}{held, cell{true, in.new}}
		case out.unknown || !found && !out.done:
			return []interface{}{held}
		case found && out.done:
			return []interface{}{cell{true, in.new}}
		}
		return nil
	},
}

// The same with one state after each step: what timed out takes effect, if nobody has seen it then after all others.
var lateRegister = porcupine.Model{
	Init: func() interface{} { return cell{} },
	Step: func(state, input, output interface{}) (bool, interface{}) {
		after := etcdRegister.Step(state, input, output)
		if len(after) == 0 {
			return false, state
		}
		return true, after[len(after)-1]
	},
}

func TestUnknownFatesOfARegister(t *testing.T) {
	unknownFates(t, etcdRegister.ToModel())
	unknownFates(t, lateRegister)
}

func unknownFates(t *testing.T, model porcupine.Model) {
	t.Helper()
	history := func(seen ...int) []porcupine.Operation {
		operations := []porcupine.Operation{
			{ClientId: 0, Input: cellInput{method: "write", value: 1}, Call: 0, Output: cellOutput{}, Return: 10},
			{ClientId: 1, Input: cellInput{"cas", 1, 2}, Call: 20, Output: cellOutput{unknown: true}, Return: 1000},
			{ClientId: 2, Input: cellInput{"cas", 2, 3}, Call: 22, Output: cellOutput{unknown: true}, Return: 1000},
			{ClientId: 3, Input: cellInput{"cas", 7, 8}, Call: 24, Output: cellOutput{}, Return: 26},
		}
		for i, value := range seen {
			at := int64(100 + 10*i)
			operations = append(operations, porcupine.Operation{ClientId: 0, Input: cellInput{method: "read"}, Call: at,
				Output: cellOutput{exists: true, value: value}, Return: at + 5})
		}
		return operations
	}
	for _, seen := range [][]int{{1}, {1, 2}, {1, 2, 3}, {2, 3}, {3, 3}} {
		if !porcupine.CheckOperations(model, history(seen...)) {
			t.Error(seen)
		}
	}
	for _, seen := range [][]int{{2, 1}, {3, 2}, {8}, {1, 3, 1}} {
		if porcupine.CheckOperations(model, history(seen...)) {
			t.Error(seen)
		}
	}
}

// expected are the labels of the recorded histories beside the tests; skipped where there are none.
func expected(t testing.TB, folder string) (files map[string]bool) {
	corpus := os.Getenv("LINCHPIN_CORPUS")
	if corpus == "" {
		t.Skip("LINCHPIN_CORPUS names no folder with recorded histories")
	}
	text, err := os.ReadFile(filepath.Join(corpus, "expected.json"))
	var all map[string]bool
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]bool{}
	for name, linearizable := range all {
		if strings.HasPrefix(name, folder+"/") {
			files[filepath.Join(corpus, name)] = linearizable
		}
	}
	if len(files) == 0 {
		t.Fatal(folder)
	}
	return files
}

var logLine = regexp.MustCompile(`^INFO\s+jepsen\.util - (\d+)\s+:(\w+)\s+:(\w+)\s+(.*)$`)

func readCells(t testing.TB, path string) []porcupine.Event {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var events []porcupine.Event
	open, inputs := map[int]int{}, []cellInput{} // by client: which operation
	number := func(text string) int {
		value, err := strconv.Atoi(strings.Trim(text, "[]"))
		if err != nil {
			t.Fatal(path, text, err)
		}
		return value
	}
	for _, line := range strings.Split(string(text), "\n") {
		parts := logLine.FindStringSubmatch(line)
		if parts == nil {
			continue
		}
		client, words := number(parts[1]), strings.Fields(parts[4])
		if parts[2] == "invoke" {
			input := cellInput{method: parts[3]}
			if input.method != "read" {
				input.value = number(words[0])
			}
			if input.method == "cas" {
				input.new = number(words[1])
			}
			open[client] = len(inputs)
			inputs = append(inputs, input)
			events = append(events, porcupine.Event{ClientId: client, Kind: porcupine.CallEvent, Value: input, Id: open[client]})
			continue
		}
		id, output := open[client], cellOutput{}
		switch {
		case parts[2] == "info":
			continue // it returns after all others
		case parts[3] == "read":
			output.exists = words[0] != "nil"
			if output.exists {
				output.value = number(words[0])
			}
		case parts[3] == "cas":
			output.done = parts[2] == "ok"
		}
		delete(open, client)
		events = append(events, porcupine.Event{ClientId: client, Kind: porcupine.ReturnEvent, Value: output, Id: id})
	}
	for client, id := range open {
		events = append(events, porcupine.Event{ClientId: client, Kind: porcupine.ReturnEvent, Value: cellOutput{unknown: true}, Id: id})
	}
	return events
}

var storeLine = regexp.MustCompile(`:process (\d+), :type :(\w+), :f :(\w+), :key "(.*)", :value (nil|".*")}`)

func readStore(t testing.TB, path string) []porcupine.Event {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var events []porcupine.Event
	open, next := map[string]int{}, 0
	for _, line := range strings.Split(string(text), "\n") {
		parts := storeLine.FindStringSubmatch(line)
		if parts == nil {
			continue
		}
		client, _ := strconv.Atoi(parts[1])
		value := strings.Trim(parts[5], `"`)
		if parts[2] == "invoke" {
			if parts[3] == "get" {
				value = ""
			}
			open[parts[1]] = next
			events = append(events, porcupine.Event{ClientId: client, Kind: porcupine.CallEvent,
				Value: storeInput{parts[3], parts[4], value}, Id: next})
			next++
			continue
		}
		events = append(events, porcupine.Event{ClientId: client, Kind: porcupine.ReturnEvent, Value: value, Id: open[parts[1]]})
	}
	return events
}

func TestRecordedHistories(t *testing.T) {
	for _, kind := range []struct {
		folder string
		read   func(testing.TB, string) []porcupine.Event
		model  porcupine.Model
	}{{"etcd", readCells, lateRegister}, {"etcd", readCells, etcdRegister.ToModel()}, {"kv", readStore, store}} {
		files := expected(t, kind.folder)
		histories := map[string][]porcupine.Event{}
		for path := range files {
			histories[path] = kind.read(t, path)
		}
		began := time.Now()
		for path, linearizable := range files {
			if porcupine.CheckEvents(kind.model, histories[path]) != linearizable {
				t.Error(path, "should be", linearizable)
			}
		}
		t.Logf("%s: %d histories decided in %v", kind.folder, len(files), time.Since(began))
	}
}
