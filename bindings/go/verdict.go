package linchpin

/*
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"unsafe"
)

// A Kind is the answer.
type Kind int

const (
	Linearizable Kind = C.LINCHPIN_LINEARIZABLE
	Violation    Kind = C.LINCHPIN_VIOLATION
	Undecided    Kind = C.LINCHPIN_UNKNOWN // a limit was reached
)

func (k Kind) String() string {
	switch k {
	case Linearizable:
		return "linearizable"
	case Violation:
		return "violation"
	}
	return "unknown"
}

// A Verdict is the answer with its evidence. Operations are numbers, counted from 0 as they were called or listed.
type Verdict struct {
	Kind    Kind
	Reason  string // of Undecided: "time", "memory"; else empty
	Objects []Object

	mutex sync.Mutex
	held  *heldVerdict
}

// An Object is the answer on one object of the history.
type Object struct {
	Name    string
	Kind    Kind
	Decider string
	Why     string // that decider was taken
	// Sentence says, of a violation of a built-in type, what is wrong in the type's own words.
	Sentence string
	// Core is, of a violation, a few operations that are not linearizable on their own.
	Core []int
	// Context is what shows, beside the core, that an operation of it is impossible.
	Context []int
	// Blocked is, of a violation, the operation that has no place left; -1: there is none to name.
	Blocked int
	// Witness is, of a linearizable object, its operations in an order in which they may have taken effect. Pending
	// operations that are not among them did not.
	Witness []int
	// Longest is the longest way that was found where there is no witness.
	Longest []int
	// Verified says that the evidence was checked by independent code, and holds.
	Verified bool
	// Refused are answers that were taken back because their evidence did not hold: a defect of the library.
	Refused string
}

var errClosed = errors.New("linchpin: the verdict was closed")

// A heldVerdict is one of C, with all that it points to.
type heldVerdict struct {
	c       *C.linchpin_verdict
	history *heldHistory
	model   *states // nil: of a built-in type
}

func verdictOf(made *C.linchpin_verdict, history *heldHistory, model *states) *Verdict {
	held := &heldVerdict{made, history, model}
	runtime.SetFinalizer(held, (*heldVerdict).free)
	verdict := &Verdict{
		Kind:   Kind(C.linchpin_verdict_kind(made)),
		Reason: C.GoString(C.linchpin_verdict_reason(made)),
		held:   held,
	}
	for i := C.size_t(0); i < C.linchpin_verdict_objects(made); i++ {
		var cores, contexts, witnesses, longest C.size_t
		core, context := C.linchpin_object_core(made, i, &cores), C.linchpin_object_context(made, i, &contexts)
		witness, way := C.linchpin_object_witness(made, i, &witnesses), C.linchpin_object_longest(made, i, &longest)
		object := Object{
			Name:     C.GoString(C.linchpin_object_name(made, i)),
			Kind:     Kind(C.linchpin_object_kind(made, i)),
			Decider:  C.GoString(C.linchpin_object_decider(made, i)),
			Why:      C.GoString(C.linchpin_object_why(made, i)),
			Sentence: C.GoString(C.linchpin_object_sentence(made, i)),
			Core:     numbers(core, cores),
			Context:  numbers(context, contexts),
			Blocked:  -1,
			Witness:  numbers(witness, witnesses),
			Longest:  numbers(way, longest),
			Verified: C.linchpin_object_verified(made, i) == 1,
			Refused:  C.GoString(C.linchpin_object_refused(made, i)),
		}
		if blocked := C.linchpin_object_blocked(made, i); blocked != C.LINCHPIN_NONE {
			object.Blocked = int(blocked)
		}
		verdict.Objects = append(verdict.Objects, object)
	}
	return verdict
}

func numbers(from *C.uint32_t, count C.size_t) []int {
	if from == nil {
		return nil
	}
	all := make([]int, int(count))
	for i, number := range unsafe.Slice((*uint32)(unsafe.Pointer(from)), int(count)) {
		all[i] = int(number)
	}
	return all
}

func (h *heldVerdict) free() {
	runtime.SetFinalizer(h, nil)
	C.linchpin_verdict_free(h.c) // gives states back
	if h.model != nil {
		h.model.free()
	}
}

// deciding is the object that made the verdict what it is: the first of its kind.
func (v *Verdict) deciding() *Object {
	for i := range v.Objects {
		if v.Objects[i].Kind == v.Kind {
			return &v.Objects[i]
		}
	}
	return &Object{Blocked: -1}
}

// Sentence is that of the first violated object.
func (v *Verdict) Sentence() string { return v.deciding().Sentence }

// Core is that of the first violated object.
func (v *Verdict) Core() []int { return v.deciding().Core }

// Witness is that of the only object. Of several, each has its own, in Objects.
func (v *Verdict) Witness() []int { return v.deciding().Witness }

// String is the kind, and the reason or the sentence if there is one.
func (v *Verdict) String() string {
	more := v.Sentence()
	if v.Kind == Undecided {
		more = v.Reason
	}
	if more == "" {
		return v.Kind.String()
	}
	return v.Kind.String() + ": " + more
}

// Text is the verdict for people, in a few lines with a picture of the core. After Close it is what String says.
func (v *Verdict) Text() string {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.held == nil {
		return v.String()
	}
	text := C.linchpin_verdict_text(v.held.c, v.held.history.c, nil)
	runtime.KeepAlive(v.held)
	if text == nil {
		return v.String()
	}
	defer C.linchpin_free(text)
	return C.GoString(text)
}

// JSON is the verdict with its evidence and explanation: what `linchpin check --json` prints.
func (v *Verdict) JSON() ([]byte, error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.held == nil {
		return nil, errClosed
	}
	var failure *C.linchpin_error
	text := C.linchpin_verdict_json(v.held.c, v.held.history.c, &failure)
	runtime.KeepAlive(v.held)
	if text == nil {
		return nil, errorOf(failure)
	}
	defer C.linchpin_free(text)
	return []byte(C.GoString(text)), nil
}

// Report writes one HTML file with the history, the verdict and the evidence. The label names the history in it.
func (v *Verdict) Report(path, label string) error { return v.report(path, label, C.SIZE_MAX) }

// ReportWithin is Report with at most so many operations: the core, what is near it, and counts of the rest.
func (v *Verdict) ReportWithin(path, label string, operations int) error {
	return v.report(path, label, C.size_t(operations))
}

func (v *Verdict) report(path, label string, operations C.size_t) error {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.held == nil {
		return errClosed
	}
	if err := nameError("path", path); err != nil {
		return err
	}
	name, words := C.CString(path), C.CString(label)
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(words))
	var failure *C.linchpin_error
	code := C.linchpin_verdict_report_within(v.held.c, v.held.history.c, name, words, operations, &failure)
	runtime.KeepAlive(v.held)
	if code != 0 {
		return errorOf(failure)
	}
	return nil
}

// WriteReport writes the same to a writer.
func (v *Verdict) WriteReport(to io.Writer, label string) error {
	folder, err := os.MkdirTemp("", "linchpin")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "report.html")
	if err := v.Report(path, label); err != nil {
		return err
	}
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	_, err = to.Write(page)
	return err
}

// Close gives back what Text and Report need. Without it, that happens when the verdict is garbage.
func (v *Verdict) Close() {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.held != nil {
		v.held.free()
		v.held = nil
	}
}
