package porcupine

import (
	"context"
	"math"
	"sort"
	"time"

	linchpin "github.com/linchpin-check/linchpin/bindings/go"
)

// A search in Go, for bare answers on short or hardly concurrent partitions: there the way to the library and back costs
// more than deciding. It goes depth first through the orders of operations that real time allows, and remembers where it
// has been: which operations have taken effect, and the state. (Wing and Gong, JPDC 1993; Lowe, CCPE 2017.) What has
// taken effect is all before one operation, in the order of calls, and some of the next 64.
//
// It leaves to the library what it is no good at: more overlap, many steps, steps with a context. So it does where the
// model panics or contradicts itself, since the library can say where.
type search struct {
	model      Model
	calls      []Operation // in the order of their calls
	alone      []bool      // it overlaps no other
	deadline   time.Time   // zero: none
	within     context.Context
	steps      int
	most       int
	frames     []frame
	compared   map[place]struct{} // without an Equal
	remembered map[uint64][]place // with one
}

// Where the search is: operations before `before` have taken effect, and those whose bit is set in `beyond`, of which the
// lowest is the one at `before`.
type place struct {
	before int
	beyond uint64
	state  interface{}
}

// A place that is being tried: the next operation to try from there, and the first return among those before that.
type frame struct {
	place
	next  int
	until int64
}

const mostOverlap, auditedSteps = 64, 16

// quickly decides a partition if that is little work; false as the second result: the library has to.
func quickly(within context.Context, model Model, operations []Operation, deadline time.Time) (result CheckResult, decided bool) {
	if model.StepContext != nil || model.Step == nil || model.Init == nil {
		return Unknown, false
	}
	s := search{model: model, calls: operations, deadline: deadline, within: within, most: 10000 + 64*len(operations)}
	if !s.prepare() {
		return Unknown, false
	}
	defer func() {
		if recover() != nil {
			result, decided = Unknown, false
		}
	}()
	return s.run()
}

// prepare says whether the operations are such as this search is for.
func (s *search) prepare() bool {
	for i := range s.calls {
		if s.calls[i].Return < s.calls[i].Call || s.calls[i].Return == math.MaxInt64 {
			return false
		}
	}
	earlier := func(i, j int) bool { return s.calls[i].Call < s.calls[j].Call }
	if !sort.SliceIsSorted(s.calls, earlier) {
		s.calls = append([]Operation(nil), s.calls...)
		sort.SliceStable(s.calls, earlier)
	}
	s.alone = make([]bool, len(s.calls))
	latest := int64(math.MinInt64) // return of those before
	for i := range s.calls {
		last := i
		for last+1 < len(s.calls) && s.calls[last+1].Call <= s.calls[i].Return {
			if last++; last-i >= mostOverlap {
				return false
			}
		}
		s.alone[i] = last == i && s.calls[i].Call > latest
		if s.calls[i].Return > latest {
			latest = s.calls[i].Return
		}
	}
	return true
}

func (s *search) run() (CheckResult, bool) {
	s.frames = append(s.frames, frame{place{state: s.model.Init()}, 0, math.MaxInt64})
	for len(s.frames) > 0 {
		at := &s.frames[len(s.frames)-1]
		if at.before == len(s.calls) {
			return Ok, true
		}
		i := at.next
		if i == len(s.calls) || s.calls[i].Call > at.until {
			s.frames = s.frames[:len(s.frames)-1]
			continue
		}
		at.next++
		if i > at.before && at.beyond>>uint(i-at.before)&1 == 1 {
			continue
		}
		if s.calls[i].Return < at.until {
			at.until = s.calls[i].Return
		}
		if !s.goesOn() {
			return Unknown, !s.deadline.IsZero() && !time.Now().Before(s.deadline)
		}
		// Of the steps the first ones are audited, and ever fewer of the others.
		audited := s.steps <= auditedSteps || s.steps&(s.steps-1) == 0
		var held uint64
		if audited {
			held = s.holds(at.state)
		}
		possible, state := s.model.Step(at.state, s.calls[i].Input, s.calls[i].Output)
		if audited && (s.holds(at.state) != held || !s.again(at.state, i, possible, state)) {
			return Unknown, false
		}
		if !possible {
			continue
		}
		to := place{at.before, at.beyond | 1<<uint(i-at.before), state}
		for to.beyond&1 == 1 {
			to.before++
			to.beyond >>= 1
		}
		if s.alone[i] || s.isNew(to) {
			s.frames = append(s.frames, frame{to, to.before, math.MaxInt64})
		}
	}
	return Illegal, true
}

func (s *search) goesOn() bool {
	s.steps++
	if s.steps > s.most || !s.deadline.IsZero() && !time.Now().Before(s.deadline) {
		return false
	}
	return s.steps%1024 != 0 || s.within.Err() == nil
}

// holds is a hash of what a state holds, to find steps that change the state that they are given.
func (s *search) holds(state interface{}) uint64 {
	if s.model.Hash != nil {
		return s.model.Hash(state)
	}
	return linchpin.HashValue(state)
}

// again asks for a second time, and says whether the answer is the same.
func (s *search) again(from interface{}, i int, possible bool, state interface{}) bool {
	same, other := s.model.Step(from, s.calls[i].Input, s.calls[i].Output)
	return same == possible && (!possible || s.equal(state, other))
}

func (s *search) equal(left, right interface{}) bool {
	if s.model.Equal == nil {
		return left == right
	}
	return s.model.Equal(left, right)
}

// isNew says whether the search was never there, and remembers it.
func (s *search) isNew(at place) bool {
	if s.model.Equal == nil {
		if s.compared == nil {
			s.compared = map[place]struct{}{}
		}
		count := len(s.compared)
		s.compared[at] = struct{}{}
		return len(s.compared) > count
	}
	if s.remembered == nil {
		s.remembered = map[uint64][]place{}
	}
	key := (at.beyond ^ uint64(at.before)*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	if s.model.Hash != nil {
		key ^= s.model.Hash(at.state)
	}
	for _, other := range s.remembered[key] {
		if other.before == at.before && other.beyond == at.beyond && s.model.Equal(other.state, at.state) {
			return false
		}
	}
	s.remembered[key] = append(s.remembered[key], at)
	return true
}
