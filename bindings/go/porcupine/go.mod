module github.com/linchpin-check/linchpin/bindings/go/porcupine

go 1.19

require github.com/linchpin-check/linchpin/bindings/go v0.0.0

replace github.com/linchpin-check/linchpin/bindings/go => ../
