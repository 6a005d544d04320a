package linchpin_test

import (
	"fmt"
	"math/rand"
	"testing"

	linchpin "github.com/linchpin-check/linchpin/bindings/go"
)

// Clients at a store of so many keys, as one answers that is linearizable.
func recordedStore(operations, clients, keys int) []linchpin.Operation[storeCall, string] {
	random := rand.New(rand.NewSource(1))
	held := map[string]string{}
	history := make([]linchpin.Operation[storeCall, string], operations)
	free := make([]int64, clients) // when
	for i := range history {
		effect := int64(100 * (i + 1))
		client := 0
		for free[client] >= effect {
			client++
		}
		key := fmt.Sprintf("key-%d", random.Intn(keys))
		operation := linchpin.Operation[storeCall, string]{Process: client, Input: storeCall{method: "get", key: key}}
		if random.Intn(2) == 0 {
			operation.Input = storeCall{"put", key, fmt.Sprint(i)}
			held[key] = operation.Input.value
		} else {
			operation.Output = held[key]
		}
		operation.Call = effect - random.Int63n(99) - 1
		if operation.Call <= free[client] {
			operation.Call = free[client] + 1
		}
		operation.Return = effect + random.Int63n(int64(60*clients))
		free[client] = operation.Return
		history[i] = operation
	}
	return history
}

// One value a key, as a model that knows only of its key has it.
func storeOfOneKey() linchpin.Model[string, storeCall, string] {
	return linchpin.Model[string, storeCall, string]{
		Init: func() []string { return []string{""} },
		Step: func(state string, call storeCall, output *string) []string {
			if call.method == "put" {
				return []string{call.value}
			}
			if output != nil && *output != state {
				return nil
			}
			return []string{state}
		},
		Partition:     func(call storeCall) any { return call.key },
		Pure:          func(call storeCall, _ *string) bool { return call.method == "get" },
		DescribeInput: func(call storeCall) string { return call.method + " " + call.key + " " + call.value },
	}
}

func BenchmarkStoreByAModel(b *testing.B) {
	history := recordedStore(100000, 16, 100)
	for i := 0; i < b.N; i++ {
		verdict, err := linchpin.CheckModel(storeOfOneKey(), history)
		if err != nil || verdict.Kind != linchpin.Linearizable {
			b.Fatal(err, verdict)
		}
		verdict.Close()
	}
}

func BenchmarkStoreByTheType(b *testing.B) {
	recorded := recordedStore(100000, 16, 100)
	for i := 0; i < b.N; i++ {
		history := linchpin.NewHistory()
		for _, operation := range recorded {
			var number int
			var result any = linchpin.None
			if operation.Input.method == "put" {
				number = history.Call(operation.Process, "put", operation.Call, operation.Input.key, operation.Input.value)
			} else {
				number = history.Call(operation.Process, "get", operation.Call, operation.Input.key)
				if result = operation.Output; operation.Output == "" {
					result = linchpin.Nil
				}
			}
			history.Return(number, result, operation.Return)
		}
		verdict, err := linchpin.Check(history, "map")
		if err != nil || verdict.Kind != linchpin.Linearizable {
			b.Fatal(err, verdict)
		}
		verdict.Close()
	}
}
