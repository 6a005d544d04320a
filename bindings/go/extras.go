package linchpin

/*
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"fmt"
	"sort"
	"unsafe"
)

// An Annotation is something beside the operations, which reports draw: a fault, a server's event, a call that did not
// happen.
type Annotation struct {
	Begin, End int64 // an end before the beginning: a moment
	Text       string
	Process    string // whose it was; empty: nobody's
	Colour     string // as CSS has them; empty: the viewer's choice
}

// Field gives an operation something that it carries beside its arguments and its result, for people: a server, a
// trace's id, an error's text. Values are those of arguments; nil: nothing.
func (h *History) Field(operation int, name string, value any) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	switch {
	case !h.open():
	case operation < 0 || operation >= len(h.operations):
		h.fail(fmt.Errorf("linchpin: there is no operation %d to carry %s", operation, name))
	default:
		if err := h.extras.field(operation, name, value); err != nil {
			h.fail(err)
		}
	}
}

// Annotate adds something beside the operations.
func (h *History) Annotate(annotation Annotation) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.open() {
		if err := h.extras.annotate(annotation); err != nil {
			h.fail(err)
		}
	}
}

// Fields is what an operation carries, as "server n1, error timeout". The history cannot grow any more then.
func (h *History) Fields(operation int) (string, error) {
	held, err := h.finish()
	if err != nil {
		return "", err
	}
	if operation < 0 || operation >= h.Len() {
		return "", fmt.Errorf("linchpin: there is no operation %d", operation)
	}
	text := C.linchpin_operation_fields(held.c, C.size_t(operation))
	if text == nil {
		return "", errorOf(nil)
	}
	defer C.linchpin_free(text)
	return C.GoString(text), nil
}

// What a history has beside its operations, on its way to C.
type extras struct {
	texts  textPool
	fields []C.linchpin_go_field
	words  []int64
	notes  []C.linchpin_go_note
}

func (e *extras) field(operation int, name string, value any) error {
	e.make()
	if err := nameError("field", name); err != nil {
		return err
	}
	words, err := encodeValue(e.words, &e.texts, value)
	if err != nil {
		return fmt.Errorf("linchpin: operation %d: %s: %w", operation, name, err)
	}
	e.words = words
	e.fields = append(e.fields, C.linchpin_go_field{operation: C.uint32_t(operation), name: C.uint32_t(e.texts.number(name))})
	return nil
}

// inOrder adds fields by their names: those of a map come in any order.
func (e *extras) inOrder(operation int, fields map[string]any) error {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if err := e.field(operation, name, fields[name]); err != nil {
			return err
		}
	}
	return nil
}

func (e *extras) annotate(annotation Annotation) error {
	e.make()
	for what, text := range map[string]string{"text": annotation.Text, "process": annotation.Process,
		"colour": annotation.Colour} {
		if err := nameError(what+" of an annotation", text); err != nil {
			return err
		}
	}
	optional := func(text string) C.uint32_t {
		if text == "" {
			return 0
		}
		return C.uint32_t(e.texts.number(text) + 1)
	}
	e.notes = append(e.notes, C.linchpin_go_note{begin: C.int64_t(annotation.Begin), end: C.int64_t(annotation.End),
		text: C.uint32_t(e.texts.number(annotation.Text)), process: optional(annotation.Process),
		colour: optional(annotation.Colour)})
	return nil
}

func (e *extras) make() {
	if e.texts.numbers == nil {
		e.texts = newTextPool()
	}
}

// forC copies it to C, since a struct of Go's pointers may not go there; the second result frees it.
func (e *extras) forC() (C.linchpin_go_extras, func()) {
	e.make()
	texts, freeTexts := e.texts.forC()
	fields, values, notes := copied(e.fields), copied(e.words), copied(e.notes)
	given := C.linchpin_go_extras{texts: texts, fields: (*C.linchpin_go_field)(fields), field_count: C.size_t(len(e.fields)),
		values: (*C.int64_t)(values), notes: (*C.linchpin_go_note)(notes), note_count: C.size_t(len(e.notes))}
	return given, func() {
		freeTexts()
		C.free(fields)
		C.free(values)
		C.free(notes)
	}
}

// copied is the slice in C's memory.
func copied[T any](slice []T) unsafe.Pointer {
	if len(slice) == 0 {
		return nil
	}
	memory := C.malloc(C.size_t(uintptr(len(slice)) * unsafe.Sizeof(slice[0])))
	copy(unsafe.Slice((*T)(memory), len(slice)), slice)
	return memory
}
