package linchpin

import (
	"hash/maphash"
	"math"
	"reflect"
	"sync"
)

// How values are compared that no model says how to compare: by ==, or, where Go has none for the type or == could
// panic, by reflect.DeepEqual. Equal values have equal hashes.

// EqualValues is how they are compared.
func EqualValues(left, right any) bool { return sameValue(left, right) }

// HashValue is a hash of a value, the same in one run of a program for values that EqualValues says are equal.
func HashValue(value any) uint64 { return hashOfValue(value) }

type comparison int

const (
	never   comparison = iota // == cannot compare values of the type
	depends                   // on what is in their interfaces
	always
)

var comparisons sync.Map // of a reflect.Type

func comparisonOf(t reflect.Type) comparison {
	if known, ok := comparisons.Load(t); ok {
		return known.(comparison)
	}
	of := always
	switch t.Kind() {
	case reflect.Interface:
		of = depends
	case reflect.Array:
		of = comparisonOf(t.Elem())
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if field := comparisonOf(t.Field(i).Type); field < of {
				of = field
			}
		}
	default:
		if !t.Comparable() {
			of = never
		}
	}
	comparisons.Store(t, of)
	return of
}

func comparedByValue(value any) bool {
	switch value.(type) {
	case nil, bool, int, int64, uint64, string:
		return true
	}
	return reflectedByValue(reflect.ValueOf(value))
}

func reflectedByValue(v reflect.Value) bool {
	if of := comparisonOf(v.Type()); of != depends {
		return of == always
	}
	switch v.Kind() {
	case reflect.Interface:
		return v.IsNil() || reflectedByValue(v.Elem())
	case reflect.Array:
		for i := 0; i < v.Len(); i++ {
			if !reflectedByValue(v.Index(i)) {
				return false
			}
		}
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			if !reflectedByValue(v.Field(i)) {
				return false
			}
		}
	}
	return true
}

func sameValue(left, right any) bool {
	if comparedByValue(left) && comparedByValue(right) {
		return left == right
	}
	return reflect.DeepEqual(left, right)
}

var hashSeed = maphash.MakeSeed()

func mix(seed, word uint64) uint64 {
	seed = (seed ^ word) * 0x9e3779b97f4a7c15
	return seed ^ seed>>29
}

func hashOfValue(value any) uint64 {
	switch v := value.(type) {
	case nil:
		return 0
	case int:
		return mix(1, uint64(v))
	case string:
		return maphash.String(hashSeed, v)
	}
	if comparedByValue(value) {
		return hasher{of: byAddress}.hash(reflect.ValueOf(value))
	}
	return hasher{of: alike}.hash(reflect.ValueOf(value))
}

// guessedHash is of what a value holds, whatever its type says about comparing it; of some of it where it is large, or
// holds itself.
func guessedHash(value any) uint64 {
	if value == nil {
		return 0
	}
	left := mostVisited
	return hasher{of: mostFollowed, left: &left}.hash(reflect.ValueOf(value))
}

// What a pointer's hash is of: its address where == compares; nothing where it may be equal through what it points to;
// above that, what it points to, through so many pointers.
type pointers int

const (
	byAddress pointers = iota
	alike
	mostFollowed pointers = 8
)

const mostVisited = 1 << 16

type hasher struct {
	of   pointers
	left *int // nil: all that there is
}

func (h hasher) hash(v reflect.Value) uint64 {
	if h.left != nil {
		if *h.left--; *h.left < 0 {
			return 11
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return mix(2, 1)
		}
		return mix(2, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return mix(1, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return mix(1, v.Uint())
	case reflect.Float32, reflect.Float64:
		return hashOfFloat(v.Float())
	case reflect.Complex64, reflect.Complex128:
		return mix(hashOfFloat(real(v.Complex())), hashOfFloat(imag(v.Complex())))
	case reflect.String:
		return maphash.String(hashSeed, v.String())
	case reflect.Array, reflect.Slice:
		seed := uint64(3)
		for i := 0; i < v.Len(); i++ {
			seed = mix(seed, h.hash(v.Index(i)))
		}
		return seed
	case reflect.Struct:
		seed := uint64(4)
		for i := 0; i < v.NumField(); i++ {
			seed = mix(seed, h.hash(v.Field(i)))
		}
		return seed
	case reflect.Map:
		seed := uint64(5)
		for entries := v.MapRange(); entries.Next(); { // in any order
			key, value := h.hash(entries.Key()), h.hash(entries.Value())
			seed += mix(mix(6, key), value)
		}
		return seed
	case reflect.Interface:
		if v.IsNil() {
			return 0
		}
		return h.hash(v.Elem())
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		if h.of == byAddress {
			return mix(7, uint64(v.Pointer()))
		}
		if h.of > alike && v.Kind() == reflect.Pointer && !v.IsNil() {
			return mix(10, hasher{h.of - 1, h.left}.hash(v.Elem()))
		}
	}
	return 8
}

func hashOfFloat(f float64) uint64 {
	if f == 0 {
		f = 0 // minus zero is zero
	}
	return mix(9, math.Float64bits(f))
}
