package porcupine

import (
	"context"
	"math/rand"
	"os"
	"strconv"
	"testing"
	"time"
)

// What is called: a write, a read, or a swap of one number for another, which says whether it found that.
type swap struct {
	method   byte
	old, new int
}

var swaps = Model{
	Init: func() interface{} { return 0 },
	Step: func(state, input, output interface{}) (bool, interface{}) {
		switch in := input.(swap); {
		case in.method == 'w':
			return true, in.new
		case in.method == 'r':
			return output == state, state
		case state == in.old:
			return output == 1, in.new
		}
		return output == 0, state
	},
}

// Of a few clients, which overlap much or little, with ties.
func randomSwaps(random *rand.Rand, most int) []Operation {
	operations := make([]Operation, random.Intn(most+1))
	wide, values := 1+random.Int63n(3*int64(most)), 1+random.Intn(3)
	for i := range operations {
		in := swap{method: "wrs"[random.Intn(3)], old: random.Intn(values + 1), new: random.Intn(values + 1)}
		call := random.Int63n(wide)
		operations[i] = Operation{Input: in, Call: call, Return: call + random.Int63n(1+wide/int64(1+random.Intn(6)))}
		switch in.method {
		case 'r':
			operations[i].Output = random.Intn(values + 1)
		case 's':
			operations[i].Output = random.Intn(2)
		}
	}
	return operations
}

// anyOrder tries all orders that real time allows.
func anyOrder(model Model, operations []Operation, done []bool, state interface{}) bool {
	left := false
	for i := range operations {
		if done[i] {
			continue
		}
		left = true
		first := true
		for j := range operations {
			first = first && (done[j] || operations[j].Return >= operations[i].Call)
		}
		if !first {
			continue
		}
		if possible, next := model.Step(state, operations[i].Input, operations[i].Output); possible {
			done[i] = true
			found := anyOrder(model, operations, done, next)
			done[i] = false
			if found {
				return true
			}
		}
	}
	return !left
}

func TestTheSearchInGoAgreesWithAllOrdersAndWithTheLibrary(t *testing.T) {
	count, each := 1000, 16 // of so many, the library is asked about four
	if text := os.Getenv("LINCHPIN_GO_RANDOM"); text != "" {
		count, _ = strconv.Atoi(text)
		each = 256
	}
	equal := swaps
	equal.Equal = func(left, right interface{}) bool { return left.(int) == right.(int) }
	hashed := equal
	hashed.Hash = func(state interface{}) uint64 { return uint64(state.(int) % 2) }
	set := NondeterministicModel{
		Init: func() []interface{} { return []interface{}{0, 1} },
		Step: func(state, input, output interface{}) []interface{} { // a write may be lost
			possible, next := swaps.Step(state, input, output)
			switch {
			case !possible:
				return nil
			case input.(swap).method == 'w':
				return []interface{}{state, next}
			}
			return []interface{}{next}
		},
	}
	lossy := set.ToModel()
	lossy.StepContext = nil
	random := rand.New(rand.NewSource(11))
	seen, compared := map[CheckResult]int{}, 0
	for i := 0; i < count; i++ {
		model := []Model{swaps, equal, hashed, lossy}[i%4]
		operations := randomSwaps(random, 7)
		want := Illegal
		if anyOrder(model, operations, make([]bool, len(operations)), model.Init()) {
			want = Ok
		}
		seen[want]++
		result, decided := quickly(context.Background(), model, operations, time.Time{})
		if !decided || result != want {
			t.Fatal(i, result, decided, want, operations)
		}
		if i%each < 4 {
			if library, _ := CheckOperationsVerbose(model, operations, 0); library != want {
				t.Fatal(i, library, want, operations)
			}
			longer := randomSwaps(random, 40)
			result, decided := quickly(context.Background(), model, longer, time.Time{})
			if !decided {
				continue // some of these no search decides
			}
			switch library, _ := CheckOperationsVerbose(model, longer, 5*time.Second); library {
			case Unknown:
			case result:
				compared++
			default:
				t.Fatal(i, result, library, longer)
			}
		}
	}
	if seen[Ok] < count/10 || seen[Illegal] < count/10 || compared < count/each {
		t.Error(seen, compared)
	}
	t.Log(seen, "and of up to 40 operations, with the library:", compared)
}

func TestTheSearchInGoLeavesToTheLibrary(t *testing.T) {
	var overlap []Operation
	for i := int64(0); i < 200; i++ {
		overlap = append(overlap, Operation{Input: swap{method: 'w', new: int(i)}, Call: i, Return: 1000 + i})
	}
	backwards := []Operation{{Input: swap{method: 'w'}, Call: 2, Return: 1}}
	fickle, asked := swaps, 0
	fickle.Step = func(state, input, output interface{}) (bool, interface{}) {
		asked++
		return true, asked
	}
	broken := swaps
	broken.Step = func(state, input, output interface{}) (bool, interface{}) { panic("no luck") }
	uncomparable := swaps
	uncomparable.Init = func() interface{} { return []int{} }
	uncomparable.Step = func(state, input, output interface{}) (bool, interface{}) { return true, state }
	changing := Model{
		Init:  func() interface{} { return map[string]int{} },
		Equal: func(left, right interface{}) bool { return left.(map[string]int)["is"] == right.(map[string]int)["is"] },
		Step: func(state, input, output interface{}) (bool, interface{}) {
			state.(map[string]int)["is"] = input.(swap).new
			return true, state
		},
	}
	within := swaps
	within.StepContext = func(_ context.Context, state, input, output interface{}) (bool, interface{}) {
		return swaps.Step(state, input, output)
	}
	for name, given := range map[string]struct {
		model      Model
		operations []Operation
	}{
		"much overlap":            {swaps, overlap},
		"a return before a call":  {swaps, backwards},
		"answers that change":     {fickle, overlap[:5]},
		"a panic":                 {broken, overlap[:5]},
		"states without ==":       {uncomparable, overlap[:5]},
		"states that are changed": {changing, overlap[:5]},
		"steps that have a limit": {within, overlap[:5]},
	} {
		if result, decided := quickly(context.Background(), given.model, given.operations, time.Time{}); decided {
			t.Error(name, result)
		}
	}
	if !CheckOperations(swaps, overlap) || !CheckOperations(uncomparable, overlap[:5]) || !CheckOperations(within, overlap[:5]) {
		t.Error("the library decides them")
	}
}
