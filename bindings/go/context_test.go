package linchpin_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	linchpin "github.com/linchpin-check/linchpin/bindings/go"
)

// Compare-and-sets that overlap all and succeed: an order of them is a walk over the edges of a graph in two parts, and no
// search sees within a minute that there is none.
func hard() *linchpin.History {
	const nodes = 24
	history := linchpin.NewHistory()
	process := 0
	for graph := 0; graph < 2; graph++ {
		for _, step := range []int{1, 3, 5, 7} {
			for node := 0; node < nodes; node++ {
				from, to := graph*nodes+node, graph*nodes+(node+step)%nodes
				history.Return(history.Call(process, "cas", 1, from, to), true, 10)
				process++
			}
		}
	}
	return history
}

const hardType = "cas-register initial=0"

func TestACancelledContextEndsTheCheckOfAType(t *testing.T) {
	parent, cancel := context.WithCancel(context.Background())
	defer cancel()
	time.AfterFunc(100*time.Millisecond, cancel)
	began := time.Now()
	verdict, err := linchpin.Check(hard(), hardType, linchpin.WithContext(parent), linchpin.TimeLimit(20*time.Second))
	if verdict != nil || err != context.Canceled {
		t.Error(verdict, err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Error(took)
	}
}

func TestADeadlineOfTheContextEndsTheCheckOfAType(t *testing.T) {
	parent, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := linchpin.Check(hard(), hardType, linchpin.WithContext(parent), linchpin.TimeLimit(20*time.Second)); err != context.DeadlineExceeded {
		t.Error(err)
	}
}

func TestATimeLimitWithinAContextIsAVerdict(t *testing.T) {
	parent, cancel := context.WithCancel(context.Background())
	defer cancel()
	verdict := check(t, hard(), hardType, linchpin.WithContext(parent), linchpin.TimeLimit(50*time.Millisecond))
	if verdict.Kind != linchpin.Undecided || verdict.Reason != "time" {
		t.Error(verdict)
	}
}

// Whenever it comes: a check that was over before has its verdict.
func TestACancellationAroundTheEndOfACheckOfAType(t *testing.T) {
	history := twoColours("red")
	for i := 0; i < 300; i++ {
		parent, cancel := context.WithCancel(context.Background())
		go cancel()
		verdict, err := linchpin.Check(history, "queue", linchpin.WithContext(parent))
		if !errors.Is(err, context.Canceled) && (err != nil || verdict.Kind != linchpin.Linearizable) {
			t.Error(verdict, err)
		}
		cancel()
	}
}

func TestNoGoroutineIsLeftOfAContext(t *testing.T) {
	parent, cancel := context.WithCancel(context.Background())
	defer cancel()
	before := runtime.NumGoroutine()
	for i := 0; i < 100; i++ {
		check(t, twoColours("red"), "queue", linchpin.WithContext(parent))
		checked(t, register(), twoWrites(2), linchpin.WithContext(parent))
	}
	for wait := 0; wait < 100 && runtime.NumGoroutine() > before; wait++ {
		time.Sleep(10 * time.Millisecond) // one that ends is counted until it has
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

func BenchmarkCheckWithin(b *testing.B) {
	history := twoColours("red")
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()
	for name, within := range map[string]context.Context{"background": context.Background(), "cancellable": cancellable} {
		b.Run(name, func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				verdict, err := linchpin.Check(history, "queue", linchpin.WithContext(within))
				if err != nil {
					b.Fatal(err)
				}
				verdict.Close()
			}
		})
	}
}
