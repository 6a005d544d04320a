package linchpin

/*
#include "shim.h"
*/
import "C"

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// An Error is why something could not be read or decided.
type Error struct {
	Code    string // "unknown_method"; as in machine output
	Message string
	Hint    string // what to do about it; may be empty
	Source  string // the file; may be empty
	Line    int    // from 1; 0: unknown
	Column  int    // in bytes, from 1; 0: unknown
}

func (e *Error) Error() string {
	var text strings.Builder
	text.WriteString("linchpin: ")
	if e.Source != "" {
		text.WriteString(e.Source + ":")
		if e.Line > 0 {
			fmt.Fprintf(&text, "%d:", e.Line)
		}
		text.WriteString(" ")
	}
	text.WriteString(e.Message)
	if e.Hint != "" {
		text.WriteString(" (" + e.Hint + ")")
	}
	return text.String()
}

// errorOf takes an error of C.
func errorOf(failure *C.linchpin_error) error {
	if failure == nil {
		return &Error{Code: "too_large", Message: "out of memory"}
	}
	defer C.linchpin_error_free(failure)
	return &Error{
		Code:    C.GoString(C.linchpin_error_code(failure)),
		Message: C.GoString(C.linchpin_error_message(failure)),
		Hint:    C.GoString(C.linchpin_error_hint(failure)),
		Source:  C.GoString(C.linchpin_error_source(failure)),
		Line:    int(C.linchpin_error_line(failure)),
		Column:  int(C.linchpin_error_column(failure)),
	}
}

// A ModelError is what is wrong with a model, or that a function of it gave up for a reason of its own.
type ModelError struct {
	Function  string // of the model: "Step"
	Operation string // that it was asked about, described; may be empty
	Err       error
}

func (e *ModelError) Error() string {
	if e.Operation == "" {
		return fmt.Sprintf("linchpin: the model's %s: %v", e.Function, e.Err)
	}
	return fmt.Sprintf("linchpin: the model's %s on %s: %v", e.Function, e.Operation, e.Err)
}

// Unwrap is what the function gave as its reason.
func (e *ModelError) Unwrap() error { return e.Err }

// A PanicError is a panic in a function of a model.
type PanicError struct {
	Value any    // what it panicked with; may be nil
	Place string // file and line
	Stack string
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic at %s: %v", e.Place, e.Value) }

// Unwrap is what it panicked with, where that was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// panicked is called by the deferred function that has recovered.
func panicked(value any) *PanicError {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	place, panicking := "an unknown place", false
	for {
		frame, more := frames.Next()
		ours := strings.HasPrefix(frame.Function, "runtime.")
		if panicking && !ours {
			place = fmt.Sprintf("%s:%d", frame.File, frame.Line)
			break
		}
		// Below the runtime's frames is what panicked, whether it did so itself or divided by zero.
		panicking = panicking || strings.HasPrefix(frame.Function, "runtime.gopanic") || frame.Function == "runtime.sigpanic"
		if !more {
			break
		}
	}
	return &PanicError{Value: value, Place: place, Stack: string(debug.Stack())}
}
