package linchpin_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	linchpin "github.com/linchpin-check/linchpin/bindings/go"
)

// Three operations of a queue, one after the other, of which the last takes `taken`.
func twoColours(taken any) *linchpin.History {
	history := linchpin.NewHistory()
	red := history.Call(0, "enqueue", 10, "red")
	history.Return(red, linchpin.None, 20)
	blue := history.Call(0, "enqueue", 30, "blue")
	history.Return(blue, linchpin.None, 40)
	take := history.Call(1, "dequeue", 50)
	history.Return(take, taken, 60)
	return history
}

func check(t *testing.T, history *linchpin.History, dataType string, options ...linchpin.Option) *linchpin.Verdict {
	t.Helper()
	verdict, err := linchpin.Check(history, dataType, options...)
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

func TestTheZeroHistory(t *testing.T) {
	var history linchpin.History
	history.Return(history.Call(0, "enqueue", 1, "red"), linchpin.None, 2)
	history.Annotate(linchpin.Annotation{Begin: 1, End: 2, Text: "a fault"})
	if verdict, err := linchpin.Check(&history, "queue"); err != nil || verdict.Kind != linchpin.Linearizable {
		t.Error(verdict, err)
	}
}

func TestALinearizableQueueHasAWitness(t *testing.T) {
	verdict := check(t, twoColours("red"), "queue")
	if verdict.Kind != linchpin.Linearizable || !reflect.DeepEqual(verdict.Witness(), []int{0, 1, 2}) {
		t.Errorf("%v, witness %v", verdict, verdict.Witness())
	}
	if len(verdict.Objects) != 1 || verdict.Objects[0].Decider == "" || verdict.Objects[0].Blocked != -1 {
		t.Errorf("%+v", verdict.Objects)
	}
}

func TestAViolatedQueueHasACoreAndASentence(t *testing.T) {
	verdict := check(t, twoColours("blue"), "queue")
	if verdict.Kind != linchpin.Violation || len(verdict.Core()) == 0 || !strings.Contains(verdict.Sentence(), "red") {
		t.Errorf("%v, core %v", verdict, verdict.Core())
	}
	if !strings.Contains(verdict.Text(), "dequeue() -> blue") {
		t.Error(verdict.Text())
	}
	var page bytes.Buffer
	if err := verdict.WriteReport(&page, "colours"); err != nil || !strings.Contains(page.String(), "</html>") {
		t.Error(err)
	}
	var told struct {
		Verdict string
		Objects []struct {
			Type string
			Core []int
		}
	}
	text, err := verdict.JSON()
	if err == nil {
		err = json.Unmarshal(text, &told)
	}
	if err != nil || told.Verdict != "violation" || len(told.Objects) != 1 || told.Objects[0].Type != "queue" ||
		!reflect.DeepEqual(told.Objects[0].Core, verdict.Core()) {
		t.Error(err, string(text))
	}
	verdict.Close()
	verdict.Close()
	if _, err := verdict.JSON(); err == nil {
		t.Error("a closed verdict still tells")
	}
	if verdict.Text() != verdict.String() || verdict.Report("nowhere.html", "") == nil {
		t.Error("a closed verdict still tells")
	}
}

func TestValuesOfAllKinds(t *testing.T) {
	type colour string
	history := linchpin.NewHistory()
	tick := int64(0)
	do := func(result any, method string, arguments ...any) {
		history.Return(history.CallOn("m", linchpin.NoProcess, method, tick, arguments...), result, tick+1)
		tick += 2
	}
	history.ObjectType("m", "map")
	do(linchpin.None, "put", colour("k"), uint8(7))
	do(int32(7), "get", "k")
	do(linchpin.None, "put", "b", true)
	do(true, "get", "b")
	do(linchpin.Unknown, "get", "b")
	do(nil, "get", "absent")
	do(linchpin.Nil, "get", "absent")
	history.CallOn("m", 4, "get", tick, "b")
	if verdict := check(t, history, ""); verdict.Kind != linchpin.Linearizable || verdict.Objects[0].Name != "m" {
		t.Error(verdict.Text())
	}
	if history.Len() != 8 {
		t.Error(history.Len())
	}
	text, err := history.Write("text")
	if err != nil || !strings.Contains(string(text), "absent") {
		t.Error(string(text), err)
	}
	path := filepath.Join(t.TempDir(), "map.txt")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := linchpin.ReadFile(path, "")
	if err != nil {
		t.Fatal(err)
	}
	if verdict := check(t, again, ""); verdict.Kind != linchpin.Linearizable {
		t.Error(verdict.Text())
	}
	for _, format := range []string{"", "text"} {
		parsed, err := linchpin.Parse(text, format)
		if err != nil {
			t.Fatal(err)
		}
		if verdict := check(t, parsed, ""); parsed.Len() != 8 || verdict.Kind != linchpin.Linearizable {
			t.Error(parsed.Len(), verdict.Text())
		}
	}
	if _, err := linchpin.Parse(nil, ""); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Error(err)
	}
	if _, err := linchpin.Parse(text, "tablet"); err == nil || !strings.Contains(err.Error(), "tablet") {
		t.Error(err)
	}
}

func TestListsAreValues(t *testing.T) {
	history := linchpin.NewHistory()
	appended := history.Call(0, "append", 1, 5)
	history.Return(appended, linchpin.Unknown, 2)
	read := history.Call(0, "read", 3)
	history.Return(read, []int{5}, 4)
	if verdict := check(t, history, "log"); verdict.Kind != linchpin.Linearizable {
		t.Error(verdict.Text())
	}
}

func TestMistakesAreErrors(t *testing.T) {
	expect := func(history *linchpin.History, dataType, code, words string, options ...linchpin.Option) {
		t.Helper()
		_, err := linchpin.Check(history, dataType, options...)
		var ours *linchpin.Error
		if err == nil || !strings.Contains(err.Error(), words) || errors.As(err, &ours) != (code != "") ||
			code != "" && ours.Code != code {
			t.Errorf("%v", err)
		}
	}
	expect(twoColours("red"), "quue", "unknown_type", "quue")
	expect(twoColours("red"), "map", "unknown_method", "enqueue")
	twice := twoColours("red")
	twice.Return(0, linchpin.None, 70)
	expect(twice, "queue", "", "returns twice")
	stranger := linchpin.NewHistory()
	stranger.Return(3, 1, 2)
	expect(stranger, "queue", "", "no operation 3")
	odd := linchpin.NewHistory()
	odd.Call(0, "enqueue", 1, 1.5)
	expect(odd, "queue", "", "1.5 of type float64")
	kept := twoColours("red")
	promised := kept.Call(2, "dequeue", 80)
	kept.Return(promised, "blue", linchpin.Pending)
	kept.Return(promised, "blue", 90)
	expect(kept, "queue", "", "operation 3 returns twice")
	never := linchpin.NewHistory()
	never.Call(0, "dequeue", linchpin.Pending)
	expect(never, "queue", "bad_number", "operation 0: dequeue() pending is called at 2^63 - 1")
	aside := twoColours("red")
	aside.CallOn("x", 2, "dequeue", 80)
	check(t, aside, "queue") // of one object
	aside = twoColours("red")
	aside.CallOn("x", 2, "dequeue", 80)
	aside.CallOn("y", 3, "dequeue", 80)
	expect(aside, "queue", "missing_field", "operation 0: enqueue(red) does not say which object it is on")
	done := twoColours("red")
	check(t, done, "queue")
	done.Call(0, "dequeue", 80)
	expect(done, "queue", "", "cannot grow")
	_, err := linchpin.ReadFile("/no/such/file", "")
	var ours *linchpin.Error
	if !errors.As(err, &ours) || ours.Code != "io" {
		t.Error(err)
	}
}

func TestProcessesAreNotCutToSize(t *testing.T) {
	locked := func(second int) *linchpin.History {
		history := linchpin.NewHistory()
		history.Return(history.Call(0, "acquire", 1), linchpin.None, 2)
		history.Return(history.Call(second, "release", 3), linchpin.None, 4)
		return history
	}
	if verdict := check(t, locked(math.MaxInt32), "mutex owner=yes"); verdict.Kind != linchpin.Violation {
		t.Error(verdict.Text())
	}
	for _, process := range []int{math.MaxInt32 + 1, 1 << 32} {
		_, err := linchpin.Check(locked(process), "mutex owner=yes")
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("operation 1: the process %d is not below 2^31", process)) {
			t.Error(process, err)
		}
		_, err = linchpin.CheckModel(register(), []registerOperation{{Process: process, Input: write{}, Return: 1}})
		if err == nil || !strings.Contains(err.Error(), "operation 0: the process") {
			t.Error(process, err)
		}
	}
}

func TestNamesAreNotCutAtAZeroByte(t *testing.T) {
	for what, spoil := range map[string]func(*linchpin.History){
		`object "a\x00b"`:                func(history *linchpin.History) { history.CallOn("a\x00b", 0, "dequeue", 80) },
		`method "dequeue\x00"`:           func(history *linchpin.History) { history.Call(0, "dequeue\x00", 80) },
		`object "x\x00"`:                 func(history *linchpin.History) { history.ObjectType("x\x00", "queue") },
		`type "queue\x00 capacity=1"`:    func(history *linchpin.History) { history.ObjectType("x", "queue\x00 capacity=1") },
		`field "server\x00"`:             func(history *linchpin.History) { history.Field(0, "server\x00", 1) },
		`text of an annotation "a\x00b"`: func(history *linchpin.History) { history.Annotate(linchpin.Annotation{Text: "a\x00b"}) },
	} {
		history := twoColours("red")
		spoil(history)
		_, err := linchpin.Check(history, "queue")
		if err == nil || !strings.Contains(err.Error(), "the "+what+" holds a zero byte") {
			t.Error(what, err)
		}
	}
	errs := map[string]error{}
	_, errs["type"] = linchpin.Check(twoColours("red"), "queue\x00 capacity=1")
	_, errs["decider"] = linchpin.Check(twoColours("red"), "queue", linchpin.Decider("search\x00"))
	_, errs["format"] = twoColours("red").Write("text\x00")
	_, errs["path"] = linchpin.ReadFile("/no\x00/such", "")
	named := register()
	named.Name = "a\x00b"
	_, errs["name"] = linchpin.CheckModel(named, twoWrites(2))
	for what, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "holds a zero byte") {
			t.Error(what, err)
		}
	}
	// Values may hold one.
	if verdict := check(t, twoColours("red\x00"), "queue"); verdict.Kind != linchpin.Violation {
		t.Error(verdict.Text())
	}
}

func TestSlicesNestAsDeepAsTheyCanBeRead(t *testing.T) {
	nested := func(deep int) error {
		value := any(1)
		for i := 0; i < deep; i++ {
			value = []any{value}
		}
		history := linchpin.NewHistory()
		history.Call(0, "write", 1, value)
		_, err := linchpin.Check(history, "register")
		return err
	}
	if err := nested(64); err != nil {
		t.Error(err)
	}
	own := []any{nil}
	own[0] = own
	history := linchpin.NewHistory()
	history.Call(0, "write", 1, own)
	_, err := linchpin.Check(history, "register")
	for _, err := range []error{nested(65), nested(100000), err} {
		if err == nil || !strings.Contains(err.Error(), "operation 0: slices are nested too deeply") {
			t.Error(err)
		}
	}
}

func TestAPromisedResultCounts(t *testing.T) {
	promising := func(value any) *linchpin.History {
		history := linchpin.NewHistory()
		history.Return(history.Call(0, "compare_and_set", 1, 0, 5), value, linchpin.Pending)
		history.Return(history.Call(1, "read", 2), 5, 3)
		return history
	}
	if verdict := check(t, promising(true), "cas-register initial=0"); verdict.Kind != linchpin.Linearizable {
		t.Error(verdict.Text())
	}
	if verdict := check(t, promising(false), "cas-register initial=0"); verdict.Kind != linchpin.Violation {
		t.Error(verdict.Text())
	}
	// An operation that would have returned nothing.
	history := linchpin.NewHistory()
	history.Return(history.Call(0, "enqueue", 1, 7), linchpin.None, linchpin.Pending)
	history.Return(history.Call(1, "dequeue", 2), 7, 3)
	if verdict := check(t, history, "queue"); verdict.Kind != linchpin.Linearizable {
		t.Error(verdict.Text())
	}
}

func TestEmptyHistoriesAreLinearizable(t *testing.T) {
	if verdict := check(t, linchpin.NewHistory(), "queue"); verdict.Kind != linchpin.Linearizable {
		t.Error(verdict)
	}
}

func TestOptionsReachTheLibrary(t *testing.T) {
	// Both at tick 20: concurrent, unless responses come first.
	history := linchpin.NewHistory()
	write := history.Call(0, "write", 10, 1)
	history.Return(write, linchpin.None, 20)
	read := history.Call(1, "read", 20)
	history.Return(read, linchpin.Nil, 30)
	if verdict := check(t, history, "register"); verdict.Kind != linchpin.Linearizable {
		t.Error(verdict.Text())
	}
	verdict := check(t, history, "register", linchpin.ResponseFirst(), linchpin.Threads(1), linchpin.All())
	if verdict.Kind != linchpin.Violation {
		t.Error(verdict.Text())
	}
	if verdict := check(t, twoColours("red"), "queue", linchpin.NoWitness()); verdict.Witness() != nil {
		t.Error(verdict.Witness())
	}
	if _, err := linchpin.Check(twoColours("red"), "queue", linchpin.Decider("nobody")); err == nil {
		t.Error("there is no such decider")
	}
}

func TestVersion(t *testing.T) {
	if !strings.Contains(linchpin.Version(), ".") {
		t.Error(linchpin.Version())
	}
}
