package linchpin_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	linchpin "github.com/linchpin-check/linchpin/bindings/go"
)

// The examples of docs/bindings/go.md, which TestThePageIsTheExamples holds against this file.

func Example() {
	history := linchpin.NewHistory()
	red := history.Call(0, "enqueue", 10, "red") // by process 0, at tick 10
	history.Return(red, linchpin.None, 20)
	blue := history.Call(0, "enqueue", 30, "blue")
	history.Return(blue, linchpin.None, 40)
	first := history.Call(1, "dequeue", 50)
	history.Return(first, "blue", 60)
	verdict, err := linchpin.Check(history, "queue")
	fmt.Println(verdict.Kind, verdict.Core(), err)
	// Output:
	// violation [0 1 2] <nil>
}

func ExampleModel() {
	counter := linchpin.Model[int, string, int]{ // states, inputs, outputs
		Init: func() []int { return []int{0} },
		Step: func(sum int, method string, output *int) []int {
			if method == "increment" {
				return []int{sum + 1}
			}
			if output == nil || *output == sum { // nil: it never returned
				return []int{sum}
			}
			return nil // it cannot have run here
		},
	}
	verdict, err := linchpin.CheckModel(counter, []linchpin.Operation[string, int]{
		{Process: 0, Input: "increment", Call: 0, Return: 10},
		{Process: 1, Input: "get", Call: 5, Output: 1, Return: 15},
		{Process: 2, Input: "increment", Call: 20, Return: linchpin.Pending},
	})
	fmt.Println(verdict.Kind, verdict.Witness()[:2], err)
	// Output:
	// linearizable [0 1] <nil>
}

func TestThePageIsTheExamples(t *testing.T) {
	bare := func(text string) string {
		var lines []string
		for _, line := range strings.Split(text, "\n") {
			if line = strings.TrimSpace(line); line != "" && line != "// Output:" {
				lines = append(lines, line)
			}
		}
		return strings.Join(lines, "\n")
	}
	page, err := os.ReadFile("../../docs/bindings/go.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```go\n")[1:]
	if len(blocks) != 2 {
		t.Errorf("%d blocks of Go", len(blocks))
	}
	for _, block := range blocks {
		block = block[:strings.Index(block, "```")]
		if !strings.Contains(bare(string(code)), bare(block)) {
			t.Errorf("not compiled:\n%s", block)
		}
	}
}
