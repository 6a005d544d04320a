package linchpin_test

import (
	"bytes"
	"encoding/json"
	"errors"
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
