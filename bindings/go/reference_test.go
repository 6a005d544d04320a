package linchpin_test

import (
	"math/rand"
	"os"
	"strconv"
	"testing"

	linchpin "github.com/linchpin-check/linchpin/bindings/go"
)

// Whether operations have an order, by trying all: the meaning of linearizability, spelled out.
func hasOrder(model registerModel, history []registerOperation) bool {
	taken := make([]bool, len(history))
	var place func(state, left int) bool
	place = func(state, left int) bool {
		if left == 0 {
			return true
		}
	next:
		for i, operation := range history {
			if taken[i] {
				continue
			}
			for j, other := range history {
				if !taken[j] && other.Return < operation.Call {
					continue next
				}
			}
			returned := 0
			output := &history[i].Output
			if operation.Return == linchpin.Pending {
				output = nil
			} else {
				returned = 1
			}
			taken[i] = true
			for _, after := range model.Step(state, operation.Input, output) {
				if place(after, left-returned) {
					return true
				}
			}
			taken[i] = false
		}
		return false
	}
	complete := 0
	for _, operation := range history {
		if operation.Return != linchpin.Pending {
			complete++
		}
	}
	for _, state := range model.Init() {
		if place(state, complete) {
			return true
		}
	}
	return false
}

// Few operations at few ticks, so that many touch, repeat values, or never return.
func randomHistory(random *rand.Rand) []registerOperation {
	history := make([]registerOperation, 1+random.Intn(6))
	for i := range history {
		operation := registerOperation{Process: linchpin.NoProcess, Call: random.Int63n(10)}
		operation.Return = operation.Call + random.Int63n(5)
		if random.Intn(6) == 0 {
			operation.Return = linchpin.Pending
		}
		if random.Intn(2) == 0 {
			operation.Input = write{true, random.Intn(3)}
		} else {
			operation.Output = random.Intn(3)
		}
		history[i] = operation
	}
	return history
}

// LINCHPIN_GO_HISTORIES: how many histories, instead of a few.
func TestAgainstAllOrders(t *testing.T) {
	count := 1500
	if wanted, err := strconv.Atoi(os.Getenv("LINCHPIN_GO_HISTORIES")); err == nil {
		count = wanted
	}
	random := rand.New(rand.NewSource(7))
	plain, lossy := register(), register()
	lossy.Init = func() []int { return []int{0, 2} }
	lossy.Step = func(state int, input write, output *int) []int {
		if input.is {
			return []int{input.number, state, input.number}
		}
		return plain.Step(state, input, output)
	}
	compared, pure := plain, plain
	compared.Equal = func(left, right int) bool { return left == right }
	pure.Pure = func(input write, _ *int) bool { return !input.is }
	// What Equal does not look at: how a state came about.
	coarse := plain
	coarse.Equal = func(left, right int) bool { return left%100 == right%100 }
	coarse.Step = func(state int, input write, output *int) []int {
		next := plain.Step(state%100, input, output)
		for i := range next {
			next[i] += 100 * (state/100%1000*3 + 1 + input.number)
		}
		return next
	}
	linearizable := 0
	for i := 0; i < count; i++ {
		history := randomHistory(random)
		for name, model := range map[string]registerModel{"plain": plain, "lossy": lossy, "compared": compared, "pure": pure,
			"coarse": coarse} {
			verdict, err := linchpin.CheckModel(model, history)
			if err != nil {
				t.Fatal(name, err, history)
			}
			want := hasOrder(model, history)
			if (verdict.Kind == linchpin.Linearizable) != want || verdict.Kind == linchpin.Undecided {
				t.Fatal(name, want, verdict, history)
			}
			if want {
				linearizable++
			}
			verdict.Close()
		}
	}
	if linearizable < count || linearizable > 4*count {
		t.Errorf("%d of %d are linearizable", linearizable, 5*count)
	}
	t.Logf("%d histories, five models each: %d linearizable", count, linearizable)
}
