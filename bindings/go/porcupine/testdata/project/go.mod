module example.org/project

go 1.19

require (
	github.com/anishathalye/porcupine v1.0.3
	github.com/linchpin-check/linchpin/bindings/go v0.0.0 // indirect
)

// The two lines that move it.
replace github.com/anishathalye/porcupine => ../..

replace github.com/linchpin-check/linchpin/bindings/go => ../../..
