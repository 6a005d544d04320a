// Package project is one that was written for Porcupine.
package project

import (
	"testing"

	"github.com/anishathalye/porcupine"
)

func TestACounter(t *testing.T) {
	counter := porcupine.Model{
		Init: func() interface{} { return 0 },
		Step: func(state, input, output interface{}) (bool, interface{}) {
			sum := state.(int) + input.(int)
			return output == sum, sum
		},
	}
	history := []porcupine.Operation{
		{ClientId: 0, Input: 1, Call: 0, Output: 3, Return: 10},
		{ClientId: 1, Input: 2, Call: 5, Output: 2, Return: 15},
	}
	if !porcupine.CheckOperations(counter, history) {
		t.Error("the second addition may come first")
	}
	history[1].Call = 11
	if porcupine.CheckOperations(counter, history) {
		t.Error("the second addition cannot come first")
	}
}
