package linchpin

/*
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

type constant int

func (c constant) String() string { return [...]string{"none", "nil", "unknown"}[c] }

// Values beside integers, strings, booleans and lists.
const (
	None    = constant(iota) // a method without a result returns it
	Nil                      // "nothing there": an empty container's answer, an absent key; Go's nil is the same
	Unknown                  // a result that was lost
)

// A History is what a concurrent object did: when operations were called, when they returned, and what. It is built by
// one goroutine at a time; once checked, it is not changed any more, and may be checked by several at once.
type History struct {
	mutex      sync.Mutex
	operations []C.linchpin_go_operation
	arguments  [][]int64
	results    [][]int64
	texts      textPool
	types      []C.uint32_t
	extras     extras
	failure    error
	held       *heldHistory
}

// NewHistory has no operations; it is as new(History).
func NewHistory() *History { return &History{texts: newTextPool()} }

// Len is how many operations there are.
func (h *History) Len() int {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.held != nil {
		return int(C.linchpin_history_size(h.held.c))
	}
	return len(h.operations)
}

// Call is an operation of a process (or NoProcess), called at a tick of any monotone clock. Arguments are integers,
// strings, booleans, nil, and slices of these. It is pending until Return: it may have taken effect at any time after
// its call, or never. The result is its number, counted from 0. Processes are below 2^31. Once a history has several
// objects, every call is a CallOn. What is wrong Check says.
func (h *History) Call(process int, method string, tick int64, arguments ...any) int {
	return h.CallOn("", process, method, tick, arguments...)
}

// CallOn is Call on one of several objects.
func (h *History) CallOn(object string, process int, method string, tick int64, arguments ...any) int {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if !h.open() {
		return -1
	}
	number := len(h.operations)
	caller, err := processOf(process)
	if err != nil {
		h.fail(fmt.Errorf("linchpin: operation %d: %w", number, err))
	}
	operation := C.linchpin_go_operation{call: C.int64_t(tick), returned: C.int64_t(Pending), process: caller,
		method: h.name("method", method), arguments: C.uint32_t(len(arguments))}
	if object != "" {
		operation.object = h.name("object", object) + 1
	}
	var words []int64
	for _, argument := range arguments {
		words = h.encode(number, words, argument)
	}
	h.operations = append(h.operations, operation)
	h.arguments = append(h.arguments, words)
	h.results = append(h.results, nil)
	return number
}

// Return is what a called operation returned, and when: once. At Pending it never did, and would have returned that.
func (h *History) Return(operation int, result any, tick int64) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	switch {
	case !h.open():
	case operation < 0 || operation >= len(h.operations):
		h.fail(fmt.Errorf("linchpin: there is no operation %d to return", operation))
	case h.results[operation] != nil:
		h.fail(fmt.Errorf("linchpin: operation %d returns twice", operation))
	default:
		h.operations[operation].returned = C.int64_t(tick)
		h.operations[operation].result = 1
		h.results[operation] = h.encode(operation, nil, result)
	}
}

// ObjectType is the type of one object, where objects have different ones.
func (h *History) ObjectType(object, dataType string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.open() {
		h.types = append(h.types, h.name("object", object), h.name("type", dataType))
	}
}

func (h *History) open() bool {
	if h.held != nil {
		h.fail(fmt.Errorf("linchpin: the history was checked or read: it cannot grow any more"))
	}
	return h.held == nil
}

func (h *History) fail(err error) {
	if h.failure == nil {
		h.failure = err
	}
}

// processOf does not cut numbers to the size that C has: two processes would be one.
func processOf(process int) (C.uint32_t, error) {
	switch {
	case process < 0:
		return C.LINCHPIN_NO_PROCESS, nil
	case process > math.MaxInt32:
		return C.LINCHPIN_NO_PROCESS, fmt.Errorf("the process %d is not below 2^31", process)
	}
	return C.uint32_t(process), nil
}

// name is the number of a text that C reads up to a zero byte, so that it may hold none.
func (h *History) name(what, text string) C.uint32_t {
	if err := nameError(what, text); err != nil {
		h.fail(err)
	}
	return C.uint32_t(h.texts.number(text))
}

func nameError(what, text string) error {
	if strings.IndexByte(text, 0) < 0 {
		return nil
	}
	return fmt.Errorf("linchpin: the %s %q holds a zero byte, and may not", what, text)
}

func (h *History) encode(operation int, words []int64, value any) []int64 {
	more, err := encodeValue(words, &h.texts, value)
	if err != nil {
		h.fail(fmt.Errorf("linchpin: operation %d: %w", operation, err))
		return append(words, C.LINCHPIN_GO_UNKNOWN)
	}
	return more
}

// As deep as the library takes them. A slice that holds itself has no end.
const mostNesting = 64

// encodeValue appends a value's words. Its texts go to the pool.
func encodeValue(words []int64, texts *textPool, value any) ([]int64, error) {
	return encodeNested(words, texts, value, 0)
}

// encodeNested is the same of a value that is in so many slices.
func encodeNested(words []int64, texts *textPool, value any, depth int) ([]int64, error) {
	switch v := value.(type) {
	case nil:
		return append(words, C.LINCHPIN_GO_NIL), nil
	case constant:
		return append(words, [...]int64{C.LINCHPIN_GO_NONE, C.LINCHPIN_GO_NIL, C.LINCHPIN_GO_UNKNOWN}[v]), nil
	case int:
		return append(words, C.LINCHPIN_GO_INTEGER, int64(v)), nil
	case string:
		return append(words, C.LINCHPIN_GO_STRING, int64(texts.number(v))), nil
	}
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(words, C.LINCHPIN_GO_TRUE), nil
		}
		return append(words, C.LINCHPIN_GO_FALSE), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return append(words, C.LINCHPIN_GO_INTEGER, v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.Uint() <= uint64(Pending) {
			return append(words, C.LINCHPIN_GO_INTEGER, int64(v.Uint())), nil
		}
	case reflect.String:
		return append(words, C.LINCHPIN_GO_STRING, int64(texts.number(v.String()))), nil
	case reflect.Slice, reflect.Array:
		if depth == mostNesting {
			return nil, fmt.Errorf("slices are nested too deeply: values nest up to %d deep", mostNesting)
		}
		words = append(words, C.LINCHPIN_GO_LIST, int64(v.Len()))
		for i := 0; i < v.Len(); i++ {
			var err error
			if words, err = encodeNested(words, texts, v.Index(i).Interface(), depth+1); err != nil {
				return nil, err
			}
		}
		return words, nil
	}
	return nil, fmt.Errorf("%v of type %T is no value of a built-in type: those are integers of 64 bits, strings, "+
		"booleans, nil and slices of these", value, value)
}

// finish gives all to C, in one call.
func (h *History) finish() (*heldHistory, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if mismatch != nil {
		return nil, mismatch
	}
	if h.failure != nil {
		return nil, h.failure
	}
	if h.held != nil {
		return h.held, nil
	}
	var words []int64
	for i := range h.operations {
		words = append(append(words, h.arguments[i]...), h.results[i]...)
	}
	texts, free := h.texts.forC()
	defer free()
	beside, freeBeside := h.extras.forC()
	defer freeBeside()
	var failure *C.linchpin_error
	made := C.linchpin_go_history(nil, texts, first(h.operations), C.size_t(len(h.operations)),
		(*C.int64_t)(unsafe.Pointer(first(words))), first(h.types), C.size_t(len(h.types)/2), &beside, &failure)
	if made == nil {
		h.failure = errorOf(failure)
		return nil, h.failure
	}
	h.held = hold(made)
	h.operations, h.arguments, h.results, h.texts, h.extras = nil, nil, nil, textPool{}, extras{}
	return h.held, nil
}

func first[T any](slice []T) *T {
	if len(slice) == 0 {
		return nil
	}
	return &slice[0]
}

// ReadFile is the history in a file of any format that Linchpin reads; "-" is standard input. An empty format is told by
// the content.
func ReadFile(path, format string) (*History, error) {
	if mismatch != nil {
		return nil, mismatch
	}
	if err := nameError("path", path); err != nil {
		return nil, err
	}
	if err := nameError("format", format); err != nil {
		return nil, err
	}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	var how *C.char
	if format != "" {
		how = C.CString(format)
		defer C.free(unsafe.Pointer(how))
	}
	var failure *C.linchpin_error
	made := C.linchpin_history_read(name, how, nil, &failure)
	if made == nil {
		return nil, errorOf(failure)
	}
	return &History{held: hold(made)}, nil
}

// Parse is the same of bytes that are what is in such a file.
func Parse(content []byte, format string) (*History, error) {
	if mismatch != nil {
		return nil, mismatch
	}
	if err := nameError("format", format); err != nil {
		return nil, err
	}
	var how *C.char
	if format != "" {
		how = C.CString(format)
		defer C.free(unsafe.Pointer(how))
	}
	var failure *C.linchpin_error
	bytes := (*C.char)(unsafe.Pointer(first(content)))
	made := C.linchpin_history_parse(bytes, C.size_t(len(content)), how, nil, 0, &failure)
	if made == nil {
		return nil, errorOf(failure)
	}
	return &History{held: hold(made)}, nil
}

// Write is the history in a format that Linchpin writes, for example "text" or "jsonl".
func (h *History) Write(format string) ([]byte, error) {
	held, err := h.finish()
	if err != nil {
		return nil, err
	}
	if err := nameError("format", format); err != nil {
		return nil, err
	}
	how := C.CString(format)
	defer C.free(unsafe.Pointer(how))
	var failure *C.linchpin_error
	var bytes C.size_t
	text := C.linchpin_history_write(held.c, how, &bytes, &failure)
	runtime.KeepAlive(held)
	if text == nil {
		return nil, errorOf(failure)
	}
	defer C.linchpin_free(text)
	return append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(text)), int(bytes))...), nil
}

// A heldHistory is one of C, freed when nobody knows it any more.
type heldHistory struct{ c *C.linchpin_history }

func hold(made *C.linchpin_history) *heldHistory {
	held := &heldHistory{c: made}
	runtime.SetFinalizer(held, func(held *heldHistory) { C.linchpin_history_free(held.c) })
	return held
}

// A textPool has each text once.
type textPool struct {
	numbers map[string]int
	bytes   []byte
	offsets []uint64
}

func newTextPool() textPool { return textPool{numbers: map[string]int{}, offsets: []uint64{0}} }

func (p *textPool) number(text string) int {
	if p.numbers == nil {
		*p = newTextPool()
	}
	number, known := p.numbers[text]
	if !known {
		number = len(p.offsets) - 1
		p.numbers[text] = number
		p.bytes = append(append(p.bytes, text...), 0)
		p.offsets = append(p.offsets, uint64(len(p.bytes)))
	}
	return number
}

// forC copies them to C, since a struct of Go's pointers may not go there; the second result frees them.
func (p *textPool) forC() (C.linchpin_go_texts, func()) {
	bytes := C.CBytes(p.bytes)
	size := len(p.offsets) * 8
	offsets := C.malloc(C.size_t(size))
	copy(unsafe.Slice((*uint64)(offsets), len(p.offsets)), p.offsets)
	return C.linchpin_go_texts{bytes: (*C.char)(bytes), offsets: (*C.uint64_t)(offsets)}, func() {
		C.free(bytes)
		C.free(offsets)
	}
}
