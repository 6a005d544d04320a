// Package linchpin decides whether recorded concurrent histories are linearizable, with evidence: an order of the
// operations where they are, a few operations that show the violation where they are not.
//
// Histories of queues, maps, registers, locks and many other types are decided by name:
//
//	history := linchpin.NewHistory()
//	put := history.Call(0, "enqueue", 10, "red")
//	history.Return(put, linchpin.None, 20)
//	take := history.Call(1, "dequeue", 30)
//	history.Return(take, "blue", 40)
//	verdict, err := linchpin.Check(history, "queue")
//
// A type of your own is a [Model]: a struct of functions, decided by [CheckModel].
//
// The package calls the C interface of Linchpin's shared library. Package porcupine, beside this one, has the names of
// github.com/anishathalye/porcupine.
package linchpin

/*
#cgo CFLAGS: -I${SRCDIR}/../../include -Wall
#cgo LDFLAGS: -llinchpin_c
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"
	"unsafe"
)

// Version is that of the shared library.
func Version() string { return C.GoString(C.linchpin_version()) }

// mismatch is what is wrong with the shared library that was found, or nil: everything that may fail fails with it.
var mismatch = mismatchOf(C.LINCHPIN_VERSION_MAJOR, C.LINCHPIN_VERSION_MINOR)

func mismatchOf(major, minor int) error {
	if C.linchpin_compatible(C.int(major), C.int(minor)) != 0 {
		return nil
	}
	return fmt.Errorf("linchpin: the shared library is version %s, and this package needs %d.%d or a later %d: "+
		"install the same version of both", Version(), major, minor, major)
}

// NoProcess is the process of operations of which none is known: each is for itself.
const NoProcess = -1

// Pending is the tick at which an operation returns that never does.
const Pending int64 = math.MaxInt64

// An Option limits or changes how a history is decided.
type Option func(*options)

type options struct {
	context       context.Context
	timeLimit     time.Duration
	memoryLimit   uint64
	threads       int
	decider       string
	responseFirst bool
	all           bool
	noWitness     bool
	verify        bool
	noVerify      bool
}

// TimeLimit is how long deciding may take: then the verdict is Unknown. Zero is no limit. One below zero, as that of a
// moment that has passed, is over at once.
func TimeLimit(limit time.Duration) Option {
	if limit < 0 {
		limit = time.Nanosecond
	}
	return func(o *options) { o.timeLimit = limit }
}

// MemoryLimit is how many bytes the process may hold: then the verdict is Unknown. Zero is no limit.
func MemoryLimit(bytes uint64) Option { return func(o *options) { o.memoryLimit = bytes } }

// Threads is how many threads decide a history of a built-in type. Zero is one a core. Models are asked by one.
func Threads(count int) Option { return func(o *options) { o.threads = count } }

// Decider is the only method to use, by its name.
func Decider(name string) Option { return func(o *options) { o.decider = name } }

// ResponseFirst says that, at equal ticks, responses come before calls. Without it such operations are concurrent.
func ResponseFirst() Option { return func(o *options) { o.responseFirst = true } }

// All decides every object even after a violation.
func All() Option { return func(o *options) { o.all = true } }

// NoWitness wants no order of a linearizable history.
func NoWitness() Option { return func(o *options) { o.noWitness = true } }

// Verify checks cores as long as that takes, not only for a small part of the time spent.
func Verify() Option { return func(o *options) { o.verify = true } }

// NoVerify does not check the evidence.
func NoVerify() Option { return func(o *options) { o.noVerify = true } }

// WithContext ends the check with the context's error once that is done: soon, if not at once. What was decided before
// that is the verdict nevertheless. [LongStep] gets a context derived from it.
func WithContext(parent context.Context) Option { return func(o *options) { o.context = parent } }

func optionsOf(given []Option) options {
	all := options{context: context.Background()}
	for _, option := range given {
		option(&all)
	}
	return all
}

// namesError is what is wrong with the names that C is given.
func (o *options) namesError(dataType string) error {
	if err := nameError("type", dataType); err != nil {
		return err
	}
	return nameError("decider", o.decider)
}

// forC gives them to C; the second result frees them, once the check is over.
func (o *options) forC(dataType string) (*C.linchpin_options, func()) {
	c := (*C.linchpin_options)(C.malloc(C.sizeof_linchpin_options))
	*c = C.linchpin_options_default()
	c.time_limit = C.double(o.timeLimit.Seconds())
	c.memory_limit = C.size_t(o.memoryLimit)
	c.threads = C.uint(o.threads)
	c.response_first = truth(o.responseFirst)
	c.all = truth(o.all)
	c.no_witness = truth(o.noWitness)
	c.verify = truth(o.verify)
	c.no_verify = truth(o.noVerify)
	stop, freeStop := stopWith(o.context)
	c.stop = stop
	var texts []*C.char
	text := func(words string) *C.char {
		if words == "" {
			return nil
		}
		made := C.CString(words)
		texts = append(texts, made)
		return made
	}
	c._type = text(dataType)
	c.decider = text(o.decider)
	return c, func() {
		freeStop()
		for _, made := range texts {
			C.free(unsafe.Pointer(made))
		}
		C.free(unsafe.Pointer(c))
	}
}

// stopWith is what ends checks in C once the context is done; the second result frees it, once the check is over. A
// context that can never be done needs none.
func stopWith(within context.Context) (*C.linchpin_stop, func()) {
	done := within.Done()
	if done == nil {
		return nil, func() {}
	}
	stop := C.linchpin_stop_new()
	if stop == nil {
		panic("linchpin: out of memory")
	}
	over, left := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(left)
		select {
		case <-done:
			C.linchpin_stop_request(stop)
		case <-over:
		}
	}()
	return stop, func() {
		close(over)
		<-left // it may be requesting just now
		C.linchpin_stop_free(stop)
	}
}

// cancelled is the context's error if the check was ended for that. One that another limit ended at that moment has it, too.
func (o *options) cancelled(verdict *C.linchpin_verdict) error {
	if C.linchpin_verdict_kind(verdict) != C.LINCHPIN_UNKNOWN {
		return nil
	}
	return o.context.Err()
}

func truth(is bool) C.int {
	if is {
		return 1
	}
	return 0
}

// Check decides a history of a built-in type, for example "queue" or "priority-queue ties=fifo". An empty type is what
// the history says itself.
func Check(history *History, dataType string, given ...Option) (*Verdict, error) {
	o := optionsOf(given)
	if err := o.context.Err(); err != nil {
		return nil, err
	}
	if err := o.namesError(dataType); err != nil {
		return nil, err
	}
	held, err := history.finish()
	if err != nil {
		return nil, err
	}
	c, free := o.forC(dataType)
	defer free()
	var failure *C.linchpin_error
	verdict := C.linchpin_check(held.c, c, &failure)
	runtime.KeepAlive(history)
	if verdict == nil {
		return nil, errorOf(failure)
	}
	if err := o.cancelled(verdict); err != nil {
		C.linchpin_verdict_free(verdict)
		return nil, err
	}
	return verdictOf(verdict, held, nil), nil
}
