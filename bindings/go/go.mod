module github.com/linchpin-check/linchpin/bindings/go

go 1.19
