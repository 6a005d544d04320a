package linchpin

import (
	"hash/maphash"
	"math"
	"reflect"
	"sync"
)

// How values are compared that no model says how to compare: by ==, or, where Go has none for the type, == could panic,
// or would compare addresses of what pointers lead to, by reflect.DeepEqual. Equal values have equal hashes.

// EqualValues is how they are compared.
func EqualValues(left, right any) bool { return sameValue(left, right) }

// HashValue is a hash of a value, the same in one run of a program for values that EqualValues says are equal.
func HashValue(value any) uint64 { return hashOfValue(value) }

type comparison int

const (
	never   comparison = iota // == cannot compare values of the type, or does not say whether they are the same
	depends                   // on what is in their interfaces
	always
)

// What two values that == compares have in common.
type sameness struct {
	values sync.Map // by reflect.Type: the comparison of its values
	alike  func(reflect.Kind) bool
}

var (
	// They hold the same, as far as == tells: not where it compares addresses.
	equal = sameness{alike: func(kind reflect.Kind) bool { return kind != reflect.Pointer }}
	// No function tells one from the other: not 0 and -0, either.
	identical = sameness{alike: func(kind reflect.Kind) bool {
		switch kind {
		case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
			return false
		}
		return true
	}}
)

func (s *sameness) of(t reflect.Type) comparison {
	if known, ok := s.values.Load(t); ok {
		return known.(comparison)
	}
	of := always
	switch t.Kind() {
	case reflect.Interface:
		of = depends
	case reflect.Array:
		of = s.of(t.Elem())
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if field := s.of(t.Field(i).Type); field < of {
				of = field
			}
		}
	default:
		if !t.Comparable() || !s.alike(t.Kind()) {
			of = never
		}
	}
	s.values.Store(t, of)
	return of
}

// told says whether == tells it of the value.
func (s *sameness) told(value any) bool {
	switch value.(type) {
	case nil, bool, int, int64, uint64, string:
		return true
	}
	return s.toldOf(reflect.ValueOf(value))
}

func (s *sameness) toldOf(v reflect.Value) bool {
	if of := s.of(v.Type()); of != depends {
		return of == always
	}
	switch v.Kind() {
	case reflect.Interface:
		return v.IsNil() || s.toldOf(v.Elem())
	case reflect.Array:
		for i := 0; i < v.Len(); i++ {
			if !s.toldOf(v.Index(i)) {
				return false
			}
		}
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			if !s.toldOf(v.Field(i)) {
				return false
			}
		}
	}
	return true
}

func sameValue(left, right any) bool {
	if equal.told(left) && equal.told(right) {
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
	left := 1 << 22
	return hasher{follow: mostFollowed, left: &left}.hash(reflect.ValueOf(value))
}

// contentHash is of what a value holds, also through pointers, whatever its type says about comparing it; of some of it
// where it is large, or holds itself.
func contentHash(value any) uint64 {
	if value == nil {
		return 0
	}
	left := 1 << 16
	return hasher{follow: mostFollowed, left: &left}.hash(reflect.ValueOf(value))
}

const mostFollowed = 8 // pointers behind each other

type hasher struct {
	follow int  // so many pointers more
	left   *int // so many values more
}

func (h hasher) hash(v reflect.Value) uint64 {
	if *h.left--; *h.left < 0 {
		return 11
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
		if v.Len() == 0 {
			return seed
		}
		// Entries come in any order: each has as much left as any other.
		share := *h.left / v.Len()
		for entries := v.MapRange(); entries.Next(); {
			left := share
			each := hasher{follow: h.follow, left: &left}
			key, value := each.hash(entries.Key()), each.hash(entries.Value())
			seed += mix(mix(6, key), value)
		}
		*h.left -= share * v.Len()
		return seed
	case reflect.Interface:
		if v.IsNil() {
			return 0
		}
		return h.hash(v.Elem())
	case reflect.Chan, reflect.UnsafePointer:
		return mix(7, uint64(v.Pointer()))
	case reflect.Pointer:
		if h.follow > 0 && !v.IsNil() {
			return mix(10, hasher{h.follow - 1, h.left}.hash(v.Elem()))
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
