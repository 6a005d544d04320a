package linchpin_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	linchpin "github.com/linchpin-check/linchpin/bindings/go"
)

type (
	registerOperation = linchpin.Operation[write, int]
	registerModel     = linchpin.Model[int, write, int]
)

// What is called: a write of a number, or a read, where `is` is false.
type write struct {
	is     bool
	number int
}

func register() registerModel {
	return registerModel{
		Name: "my-register",
		Init: func() []int { return []int{0} },
		Step: func(state int, input write, output *int) []int {
			if input.is {
				return []int{input.number}
			}
			if output == nil || *output == state {
				return []int{state}
			}
			return nil
		},
		DescribeInput: func(input write) string {
			if input.is {
				return fmt.Sprintf("write %d", input.number)
			}
			return "read"
		},
	}
}

// Operations one after the other.
func after[Input, Output any](history []linchpin.Operation[Input, Output], input Input,
	output Output) []linchpin.Operation[Input, Output] {
	tick := int64(10 * len(history))
	return append(history, linchpin.Operation[Input, Output]{Process: len(history) % 3, Input: input, Call: tick, Output: output,
		Return: tick + 5})
}

func twoWrites(seen int) []registerOperation {
	history := after(nil, write{true, 1}, 0)
	history = after(history, write{true, 2}, 0)
	history = after(history, write{}, seen)
	return append(history, registerOperation{Process: 7, Input: write{}, Call: 40, Return: linchpin.Pending})
}

func checked[S, I, O any](t *testing.T, model linchpin.Model[S, I, O], history []linchpin.Operation[I, O],
	options ...linchpin.Option) *linchpin.Verdict {
	t.Helper()
	verdict, err := linchpin.CheckModel(model, history, options...)
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

func TestARegister(t *testing.T) {
	right := checked(t, register(), twoWrites(2))
	if right.Kind != linchpin.Linearizable || len(right.Witness()) != 3 || !right.Objects[0].Verified {
		t.Errorf("%v %+v", right, right.Objects)
	}
	wrong := checked(t, register(), twoWrites(1))
	core := wrong.Core()
	if wrong.Kind != linchpin.Violation || len(core) == 0 || core[len(core)-1] != 2 || wrong.Objects[0].Blocked != 2 {
		t.Errorf("%v %+v", wrong, wrong.Objects)
	}
	if text := wrong.Text(); !strings.Contains(text, "my-register") || !strings.Contains(text, "write 2") {
		t.Error(text)
	}
	if err := wrong.Report(t.TempDir()+"/report.html", "mine"); err != nil {
		t.Error(err)
	}
}

func TestOperationsStandInAnyOrder(t *testing.T) {
	history := twoWrites(2)
	history[0], history[2] = history[2], history[0]
	verdict := checked(t, register(), history)
	if want := []int{2, 1, 0}; fmt.Sprint(verdict.Witness()[:3]) != fmt.Sprint(want) {
		t.Error(verdict.Witness())
	}
}

// A store of strings by key. What is called: get, put or append.
type storeCall struct{ method, key, value string }

func store(partitioned bool) linchpin.Model[map[string]string, storeCall, string] {
	model := linchpin.Model[map[string]string, storeCall, string]{
		Name: "store",
		Init: func() []map[string]string { return []map[string]string{{}} },
		Step: func(state map[string]string, call storeCall, output *string) []map[string]string {
			if call.method == "get" {
				if output != nil && *output != state[call.key] {
					return nil
				}
				return []map[string]string{state}
			}
			next := map[string]string{}
			for key, value := range state {
				next[key] = value
			}
			if call.method == "put" {
				next[call.key] = call.value
			} else {
				next[call.key] += call.value
			}
			return []map[string]string{next}
		},
	}
	if partitioned {
		model.Partition = func(call storeCall) any { return call.key }
	}
	return model
}

func TestAStoreKeyByKey(t *testing.T) {
	for _, partitioned := range []bool{false, true} {
		history := after(nil, storeCall{"put", "x", "a"}, "")
		history = after(history, storeCall{"put", "y", "b"}, "")
		history = after(history, storeCall{"append", "x", "c"}, "")
		right := after(history, storeCall{"get", "x", ""}, "ac")
		wrong := after(right, storeCall{"get", "y", ""}, "ac")
		if verdict := checked(t, store(partitioned), right); verdict.Kind != linchpin.Linearizable {
			t.Error(verdict.Text())
		}
		if verdict := checked(t, store(partitioned), wrong); verdict.Kind != linchpin.Violation {
			t.Error(verdict.Text())
		}
	}
}

func TestSeveralSuccessorsAndBeginnings(t *testing.T) {
	// A write may leave its number, or nothing of it; the register begins with 0 or 5.
	model := register()
	model.Init = func() []int { return []int{0, 5} }
	plain := model.Step
	model.Step = func(state int, input write, output *int) []int {
		if input.is {
			return []int{state, input.number}
		}
		return plain(state, input, output)
	}
	for seen, want := range map[int]linchpin.Kind{1: linchpin.Linearizable, 2: linchpin.Linearizable, 5: linchpin.Linearizable,
		3: linchpin.Violation} {
		if verdict := checked(t, model, twoWrites(seen)); verdict.Kind != want {
			t.Errorf("%d: %s", seen, verdict.Text())
		}
	}
	// What one read has seen, the next one sees as well.
	history := after(after([]registerOperation(nil), write{}, 5), write{}, 0)
	if verdict := checked(t, model, history); verdict.Kind != linchpin.Violation {
		t.Error(verdict.Text())
	}
}

// A set of small numbers, as a sorted slice, with an equality and a hash of its own or without.
func set(equal func(left, right []int) bool, hash func([]int) uint64) linchpin.Model[[]int, [2]int, bool] {
	const add, remove = 0, 1
	return linchpin.Model[[]int, [2]int, bool]{
		Init: func() [][]int { return [][]int{nil} },
		Step: func(state []int, input [2]int, output *bool) [][]int {
			var without []int
			for _, element := range state {
				if element != input[1] {
					without = append(without, element)
				}
			}
			had := len(without) < len(state)
			switch input[0] {
			case add:
				if output != nil && *output == had {
					return nil
				}
				next := append([]int{input[1]}, without...)
				for i := 1; i < len(next) && next[i-1] > next[i]; i++ {
					next[i-1], next[i] = next[i], next[i-1]
				}
				return [][]int{next}
			case remove:
				if output != nil && *output != had {
					return nil
				}
				return [][]int{without}
			}
			if output != nil && *output != had {
				return nil
			}
			return [][]int{state}
		},
		Equal: equal,
		Hash:  hash,
	}
}

func TestASetWithAndWithoutEqualAndHash(t *testing.T) {
	same := func(left, right []int) bool { return fmt.Sprint(left) == fmt.Sprint(right) }
	sum := func(state []int) uint64 {
		all := uint64(0)
		for _, element := range state {
			all += uint64(element)
		}
		return all
	}
	history := after(nil, [2]int{0, 7}, true)
	history = after(history, [2]int{0, 3}, true)
	history = after(history, [2]int{0, 7}, false)
	history = after(history, [2]int{1, 3}, true)
	history = after(history, [2]int{2, 3}, false)
	wrong := after(history, [2]int{1, 7}, false)
	for _, model := range []linchpin.Model[[]int, [2]int, bool]{set(nil, nil), set(same, nil), set(same, sum)} {
		if verdict := checked(t, model, history); verdict.Kind != linchpin.Linearizable {
			t.Error(verdict.Text())
		}
		if verdict := checked(t, model, wrong); verdict.Kind != linchpin.Violation {
			t.Error(verdict.Text())
		}
	}
}

// Without a hash of its own, a model whose states are many is decided as one that has one: where equal states hold the
// same, and where they do not.
func TestAStoreInOnePartNeedsNoHash(t *testing.T) {
	hashed, guessed, counted := store(false), store(false), store(false)
	compared := 0
	same := func(left, right map[string]string) bool {
		compared++
		for _, key := range []string{"key-0", "key-1", "key-2"} {
			if left[key] != right[key] {
				return false
			}
		}
		return true
	}
	guessed.Equal, counted.Equal = same, same
	hashed.Hash = func(state map[string]string) uint64 { return linchpin.HashValue(fmt.Sprint(state)) }
	hashed.Equal = same
	counted.Step = func(state map[string]string, call storeCall, output *string) []map[string]string {
		next := guessed.Step(state, call, output)
		if call.method != "get" { // how often it was written and, by 7, what was last: Equal does not look there
			next[0]["writes"] = fmt.Sprint(len(state["writes"]), call.value)
		}
		return next
	}
	for _, wrong := range []bool{false, true} {
		history := recordedStore(120, 7, 3)
		for i := range history {
			if wrong && i > 60 && history[i].Input.method == "get" && history[i].Output != "" {
				history[i].Output += "0"
				break
			}
		}
		want := checked(t, storeOfOneKey(), history).Kind
		if (want == linchpin.Violation) != wrong {
			t.Fatal(want)
		}
		for name, model := range map[string]linchpin.Model[map[string]string, storeCall, string]{
			"hashed": hashed, "guessed": guessed, "counted": counted} {
			compared = 0
			if verdict := checked(t, model, history); verdict.Kind != want {
				t.Error(name, verdict.Text())
			}
			if compared > 1<<20 { // each with all others: many millions
				t.Error(name, compared)
			}
		}
	}
}

// A compare-and-set register of a store whose answers get lost: what nobody heard of may have happened.
func TestUnknownFates(t *testing.T) {
	type call struct {
		method   string
		old, new int
	}
	model := linchpin.Model[int, call, int]{
		Init: func() []int { return []int{0} },
		Step: func(state int, input call, output *int) []int {
			switch {
			case input.method == "write":
				return []int{input.new}
			case input.method == "read" && (output == nil || *output == state):
				return []int{state}
			case input.method == "cas" && output == nil && state != input.old: // it would have failed
				return []int{state}
			case input.method == "cas" && (output == nil || *output == 1) && state == input.old:
				return []int{input.new}
			case input.method == "cas" && output != nil && *output == 0 && state != input.old:
				return []int{state}
			}
			return nil
		},
	}
	for seen, want := range map[int]linchpin.Kind{1: linchpin.Linearizable, 2: linchpin.Linearizable, 3: linchpin.Violation} {
		history := after(nil, call{"write", 0, 1}, 0)
		history = append(history, linchpin.Operation[call, int]{Process: 5, Input: call{"cas", 1, 2}, Call: 6,
			Return: linchpin.Pending})
		history = after(history, call{"read", 0, 0}, seen)
		if verdict := checked(t, model, history); verdict.Kind != want {
			t.Errorf("%d: %s", seen, verdict.Text())
		}
	}
}

func TestATimeLimitHoldsInsideAStep(t *testing.T) {
	model := register()
	model.LongStep = func(within context.Context, state int, input write, output *int) ([]int, error) {
		<-within.Done()
		return nil, within.Err()
	}
	verdict := checked(t, model, twoWrites(2), linchpin.TimeLimit(30*time.Millisecond))
	if verdict.Kind != linchpin.Undecided || verdict.Reason != "time" {
		t.Error(verdict)
	}
}

func TestACancelledContextEndsTheCheck(t *testing.T) {
	parent, cancel := context.WithCancel(context.Background())
	model := register()
	step := model.Step
	model.Step = func(state int, input write, output *int) []int {
		cancel()
		return step(state, input, output)
	}
	if _, err := linchpin.CheckModel(model, twoWrites(2), linchpin.WithContext(parent)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Whenever it comes, it is not taken for the end of a time limit that there is not.
func TestACancellationFromElsewhere(t *testing.T) {
	for i := 0; i < 300; i++ {
		parent, cancel := context.WithCancel(context.Background())
		model := register()
		step, asked := model.Step, 0
		model.Step = func(state int, input write, output *int) []int {
			if asked++; asked == 2 {
				go cancel()
			}
			return step(state, input, output)
		}
		verdict, err := linchpin.CheckModel(model, twoWrites(2), linchpin.WithContext(parent))
		if !errors.Is(err, context.Canceled) && (err != nil || verdict.Kind != linchpin.Linearizable) {
			t.Error(err)
		}
		cancel()
	}
}

func TestAPanicIsAnErrorWithItsPlace(t *testing.T) {
	lost := errors.New("lost")
	for name, breaks := range map[string]func(*registerModel){
		"Step": func(model *registerModel) {
			model.Step = func(int, write, *int) []int { panic(lost) }
		},
		"Init":  func(model *registerModel) { model.Init = func() []int { panic(lost) } },
		"Equal": func(model *registerModel) { model.Equal = func(int, int) bool { panic(lost) } },
		"Pure":  func(model *registerModel) { model.Pure = func(write, *int) bool { panic(lost) } },
		"Hash": func(model *registerModel) {
			model.Hash = func(int) uint64 { panic(lost) }
		},
		"Describe": func(model *registerModel) { model.DescribeInput = func(write) string { panic(lost) } },
	} {
		model := register()
		breaks(&model)
		_, err := linchpin.CheckModel(model, twoWrites(2))
		var panicked *linchpin.PanicError
		if !errors.As(err, &panicked) || !strings.Contains(panicked.Place, "model_test.go:") || !errors.Is(err, lost) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Those of the runtime, too; and the operation is named.
	model := register()
	model.Step = func(state int, input write, output *int) []int { return []int{1 / state} }
	_, err := linchpin.CheckModel(model, twoWrites(2))
	var ours *linchpin.ModelError
	if !errors.As(err, &ours) || ours.Function != "Step" || ours.Operation != "write 1" ||
		!strings.Contains(err.Error(), "model_test.go:") || !strings.Contains(err.Error(), "divide by zero") {
		t.Error(err)
	}
	// A panic without a value is one, too, where the language has no value of its own for it.
	for name, breaks := range map[string]func(*registerModel){
		"Step":  func(model *registerModel) { model.Step = func(int, write, *int) []int { panic(nil) } },
		"Init":  func(model *registerModel) { model.Init = func() []int { panic(nil) } },
		"Equal": func(model *registerModel) { model.Equal = func(int, int) bool { panic(nil) } },
	} {
		model := register()
		breaks(&model)
		_, err := linchpin.CheckModel(model, twoWrites(2))
		var panicked *linchpin.PanicError
		if !errors.As(err, &panicked) || !strings.Contains(panicked.Place, "model_test.go:") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What describes a state is asked when all is decided.
	model = register()
	model.DescribeState = func(int) string { panic(lost) }
	verdict := checked(t, model, twoWrites(1))
	_ = verdict.Text()
}

func TestModelsThatContradictThemselvesAreErrors(t *testing.T) {
	expect := func(words string, breaks func(*registerModel)) {
		t.Helper()
		model := register()
		breaks(&model)
		if _, err := linchpin.CheckModel(model, twoWrites(2)); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%v", err)
		}
	}
	asked := 0
	expect("two answers", func(model *registerModel) {
		model.Step = func(int, write, *int) []int { asked++; return []int{asked} }
	})
	expect("different hashes", func(model *registerModel) {
		model.Equal = func(left, right int) bool { return left%2 == right%2 }
		model.Hash = func(state int) uint64 { return uint64(state) }
	})
	expect("not equal to itself", func(model *registerModel) {
		model.Equal = func(left, right int) bool { return false }
		model.Hash = func(state int) uint64 { return 1 }
	})
	expect("Init, and Step", func(model *registerModel) { model.Step = nil })
	expect("gave no state", func(model *registerModel) { model.Init = func() []int { return nil } })
	expect("disk is full", func(model *registerModel) {
		model.LongStep = func(context.Context, int, write, *int) ([]int, error) { return nil, errors.New("disk is full") }
	})
	expect("deadline exceeded", func(model *registerModel) { // there is no time limit
		model.LongStep = func(context.Context, int, write, *int) ([]int, error) { return nil, context.DeadlineExceeded }
	})

	changing := linchpin.Model[map[int]bool, int, struct{}]{
		Init: func() []map[int]bool { return []map[int]bool{{}} },
		Step: func(state map[int]bool, input int, _ *struct{}) []map[int]bool {
			state[input] = true
			return []map[int]bool{state}
		},
	}
	history := after(after([]linchpin.Operation[int, struct{}](nil), 1, struct{}{}), 2, struct{}{})
	if _, err := linchpin.CheckModel(changing, history); err == nil || !strings.Contains(err.Error(), "changed the state") {
		t.Error(err)
	}
}

// What a step must not do, in a language in which states are shared easily: first by states that are pointers, then by
// states with an Equal and no Hash, then by an append into an array that another state has, too.
func TestStatesThatAreChangedInPlaceAreErrors(t *testing.T) {
	type sum struct{ is int }
	type call struct{ add, seen int }
	refused := func(err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "changed") {
			t.Error(err)
		}
	}
	none := struct{}{}
	history := after(after([]linchpin.Operation[call, struct{}](nil), call{add: 1}, none), call{seen: 1}, none)
	_, err := linchpin.CheckModel(linchpin.Model[*sum, call, struct{}]{
		Init: func() []*sum { return []*sum{{}} },
		Step: func(state *sum, call call, _ *struct{}) []*sum {
			if call.add == 0 && call.seen != state.is {
				return nil
			}
			state.is += call.add
			return []*sum{state}
		},
	}, history)
	refused(err)
	sums := linchpin.Model[map[string]int, call, struct{}]{
		Init: func() []map[string]int { return []map[string]int{{}} },
		Step: func(state map[string]int, call call, _ *struct{}) []map[string]int {
			if call.add == 0 && call.seen != state["sum"] {
				return nil
			}
			state["sum"] += call.add
			return []map[string]int{state}
		},
		Equal: func(left, right map[string]int) bool { return left["sum"] == right["sum"] },
	}
	_, err = linchpin.CheckModel(sums, history)
	refused(err)
	// Where equal states do not hold the same, no hash is guessed.
	sums.Init = func() []map[string]int { return []map[string]int{{"steps": 1}, {"steps": 2}} }
	_, err = linchpin.CheckModel(sums, history)
	refused(err)

	stacks := linchpin.Model[[]int, int, struct{}]{
		Init:  func() []([]int) { return [][]int{make([]int, 0, 8)} },
		Step:  func(state []int, input int, _ *struct{}) [][]int { return [][]int{append(state, input)} },
		Equal: func(left, right []int) bool { return fmt.Sprint(left) == fmt.Sprint(right) },
	}
	var pushes []linchpin.Operation[int, struct{}]
	for i := 0; i < 4; i++ {
		pushes = append(pushes, linchpin.Operation[int, struct{}]{Process: i, Input: i, Call: 1, Return: 2})
	}
	seen := stacks.Step
	stacks.Step = func(state []int, input int, output *struct{}) [][]int {
		if input == 9 {
			if len(state) == 4 && state[0] == 3 && state[1] == 2 {
				return [][]int{state}
			}
			return nil
		}
		return seen(state, input, output)
	}
	pushes = append(pushes, linchpin.Operation[int, struct{}]{Process: 0, Input: 9, Call: 3, Return: 4})
	_, err = linchpin.CheckModel(stacks, pushes)
	refused(err)
}

// States that hold the same are one, wherever they are.
func TestStatesThatArePointers(t *testing.T) {
	type node struct {
		value int
		below *node
	}
	type call struct{ push, pop int }
	stack := linchpin.Model[*node, call, struct{}]{
		Init: func() []*node { return []*node{nil} },
		Step: func(state *node, call call, _ *struct{}) []*node {
			if call.push != 0 {
				return []*node{{call.push, state}}
			}
			if state == nil || state.value != call.pop {
				return nil
			}
			return []*node{state.below}
		},
	}
	for _, pops := range [][2]call{{{pop: 2}, {pop: 1}}, {{pop: 1}, {pop: 2}}} {
		var history []linchpin.Operation[call, struct{}]
		for _, call := range []call{{push: 1}, {push: 2}, pops[0], pops[1]} {
			history = after(history, call, struct{}{})
		}
		if kind := checked(t, stack, history).Kind; (kind == linchpin.Linearizable) != (pops[0].pop == 2) {
			t.Error(pops, kind)
		}
	}
}

// == takes 0 and -0 for the same; a step need not.
func TestZerosWithASignAreInputsOfTheirOwn(t *testing.T) {
	zero := 0.0
	model := linchpin.Model[string, any, string]{
		Init: func() []string { return []string{""} },
		Step: func(state string, input any, output *string) []string {
			if value, writes := input.(float64); writes {
				return []string{fmt.Sprint(1 / value)}
			}
			if output == nil || *output == state {
				return []string{state}
			}
			return nil
		},
	}
	for _, seen := range []string{"-Inf", "+Inf"} {
		var history []linchpin.Operation[any, string]
		history = after[any](history, zero, "")
		history = after[any](history, -1/math.Inf(1), "")
		history = after[any](history, "read", seen)
		if kind := checked(t, model, history).Kind; (kind == linchpin.Linearizable) != (seen == "-Inf") {
			t.Error(seen, kind)
		}
	}
}

func TestAPartThatIsNotEqualToItself(t *testing.T) {
	model := register()
	model.Partition = func(input write) any {
		if !input.is {
			return math.NaN()
		}
		return "a"
	}
	// A read of what was written in another part.
	if kind := checked(t, model, twoWrites(2)).Kind; kind != linchpin.Violation {
		t.Error(kind)
	}
}

func TestATimeLimitThatHasPassed(t *testing.T) {
	verdict, err := linchpin.CheckModel(register(), twoWrites(2), linchpin.TimeLimit(-time.Second))
	if err != nil || verdict.Kind != linchpin.Undecided {
		t.Error(verdict, err)
	}
}

func TestManyOperationsWithOneDescription(t *testing.T) {
	model := linchpin.Model[int, []int, struct{}]{ // inputs that == cannot compare
		Init:          func() []int { return []int{0} },
		Step:          func(state int, input []int, _ *struct{}) []int { return []int{state + input[0]} },
		DescribeInput: func([]int) string { return "add" },
	}
	var history []linchpin.Operation[[]int, struct{}]
	for i := 0; i < 20000; i++ {
		history = after(history, []int{i % 3}, struct{}{})
	}
	if verdict := checked(t, model, history); verdict.Kind != linchpin.Linearizable {
		t.Error(verdict)
	}
}

func TestChecksInSeveralGoroutines(t *testing.T) {
	var failures = make(chan string, 8)
	for i := 0; i < 8; i++ {
		go func(seen int) {
			verdict, err := linchpin.CheckModel(register(), twoWrites(seen))
			if err != nil || (verdict.Kind == linchpin.Linearizable) != (seen == 2) {
				failures <- fmt.Sprint(seen, verdict, err)
				return
			}
			failures <- ""
		}(1 + i%2)
	}
	for i := 0; i < 8; i++ {
		if failure := <-failures; failure != "" {
			t.Error(failure)
		}
	}
	runtime.GC() // verdicts that nobody closed
	runtime.GC()
}

// A model may ask the library something else.
func TestAStepMayCheck(t *testing.T) {
	model := register()
	step := model.Step
	model.Step = func(state int, input write, output *int) []int {
		if verdict, err := linchpin.CheckModel(register(), twoWrites(2)); err != nil || verdict.Kind != linchpin.Linearizable {
			panic(err)
		}
		return step(state, input, output)
	}
	if verdict := checked(t, model, twoWrites(2)); verdict.Kind != linchpin.Linearizable {
		t.Error(verdict)
	}
}
