package linchpin

import (
	"strings"
	"testing"
)

func TestAnotherVersionOfTheLibraryIsAnError(t *testing.T) {
	if mismatch != nil || mismatchOf(0, 0) != nil {
		t.Error(mismatch, mismatchOf(0, 0))
	}
	later := mismatchOf(0, 1000)
	if later == nil || !strings.Contains(later.Error(), "version "+Version()) || mismatchOf(1000, 0) == nil {
		t.Fatal(later)
	}
	defer func() { mismatch = nil }()
	mismatch = later
	if _, err := Check(NewHistory(), "queue"); err != later {
		t.Error(err)
	}
	if _, err := Parse([]byte("0: enqueue(1)\n"), ""); err != later {
		t.Error(err)
	}
	if _, err := ReadFile("history.txt", ""); err != later {
		t.Error(err)
	}
	nothing := Model[int, int, int]{Init: func() []int { return []int{0} },
		Step: func(state, _ int, _ *int) []int { return []int{state} }}
	if _, err := CheckModel(nothing, nil); err != later {
		t.Error(err)
	}
}
