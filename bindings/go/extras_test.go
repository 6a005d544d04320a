package linchpin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	linchpin "github.com/linchpin-check/linchpin/bindings/go"
)

func TestOperationsCarryFields(t *testing.T) {
	history := linchpin.NewHistory()
	one := history.Call(0, "enqueue", 10, 1)
	history.Return(one, linchpin.None, 20)
	two := history.Call(1, "dequeue", 30)
	history.Return(two, nil, 40)
	history.Field(two, "server", "n1")
	history.Field(two, "path", []any{"a", 2, true})
	history.Field(two, "lost", nil)
	history.Annotate(linchpin.Annotation{Begin: 5, End: 4, Text: "started"})
	history.Annotate(linchpin.Annotation{Begin: 25, End: 35, Text: "cas failed", Process: "7", Colour: "red"})
	if first, err := history.Fields(one); first != "" || err != nil {
		t.Error(first, err)
	}
	if second, err := history.Fields(two); second != "server n1, path [a 2 true]" || err != nil {
		t.Error(second, err)
	}
	if _, err := history.Fields(2); err == nil {
		t.Error("there is no such operation")
	}
	text, err := history.Write("text")
	for _, words := range []string{"# annotation 5 - \"started\"\n", "25 35 \"cas failed\" process=7 colour=red\n", "@server=n1"} {
		if err != nil || !strings.Contains(string(text), words) {
			t.Error(words, string(text), err)
		}
	}
	verdict, err := linchpin.Check(history, "queue")
	if err != nil || !strings.Contains(verdict.Text(), "server n1") {
		t.Error(verdict, err)
	}
	path := filepath.Join(t.TempDir(), "report.html")
	if err := verdict.ReportWithin(path, "limited", 1); err != nil {
		t.Error(err)
	}
	if page, err := os.ReadFile(path); err != nil || len(page) < 100000 {
		t.Error(len(page), err)
	}
}

func TestMistakenFieldsAreErrors(t *testing.T) {
	for name, spoil := range map[string]func(*linchpin.History){
		"no operation 3": func(history *linchpin.History) { history.Field(3, "server", "n1") },
		"server: map":    func(history *linchpin.History) { history.Field(0, "server", map[string]int{}) },
	} {
		history := linchpin.NewHistory()
		history.Call(0, "enqueue", 10, 1)
		spoil(history)
		if _, err := linchpin.Check(history, "queue"); err == nil || !strings.Contains(err.Error(), name) {
			t.Error(name, err)
		}
	}
}

func TestOperationsOfModelsCarryFields(t *testing.T) {
	verdict, err := linchpin.CheckModel(storeOfOneKey(), []linchpin.Operation[storeCall, string]{
		{Process: 0, Input: storeCall{"put", "x", "a"}, Call: 0, Return: 10,
			Fields: map[string]any{"server": "n1", "attempt": 2}},
		{Process: 0, Input: storeCall{method: "get", key: "x"}, Output: "b", Call: 20, Return: 30},
	})
	if err != nil || verdict.Kind != linchpin.Violation || !strings.Contains(verdict.Text(), "attempt 2, server n1") {
		t.Error(verdict, err)
	}
	_, err = linchpin.CheckModel(storeOfOneKey(), []linchpin.Operation[storeCall, string]{
		{Input: storeCall{"put", "x", "a"}, Call: 0, Return: 10, Fields: map[string]any{"server": struct{}{}}},
	})
	if err == nil || !strings.Contains(err.Error(), "operation 0: server") {
		t.Error(err)
	}
}
