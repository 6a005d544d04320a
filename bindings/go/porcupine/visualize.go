package porcupine

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"os"
	"time"

	linchpin "github.com/linchpin-check/linchpin/bindings/go"
)

// LinearizationInfo is what the verbose functions have found, for people.
type LinearizationInfo struct {
	partitions  [][]Operation
	verdicts    []*linchpin.Verdict // nil: there was no time
	timeout     time.Duration
	annotations []Annotation
}

// An Annotation is something that happened beside the operations: at a client, or where its Tag says.
type Annotation struct {
	ClientId        int // where Tag is empty
	Tag             string
	Start           int64
	End             int64 // before Start: a moment
	Description     string
	Details         string
	TextColor       string // not shown
	BackgroundColor string // not shown
	_               struct{}
}

// AddAnnotations has Visualize list them under the report.
func (li *LinearizationInfo) AddAnnotations(annotations []Annotation) {
	for _, annotation := range annotations {
		if annotation.End < annotation.Start {
			annotation.End = annotation.Start
		}
		li.annotations = append(li.annotations, annotation)
	}
}

// PartialLinearizations are, for each partition, orders of operations by their places in it: the whole partition's where
// it is linearizable, else the longest that was found.
func (li *LinearizationInfo) PartialLinearizations() [][][]int {
	all := make([][][]int, len(li.partitions))
	for i := range li.partitions {
		all[i] = [][]int{}
		if li.verdicts[i] == nil || len(li.verdicts[i].Objects) == 0 {
			continue
		}
		object := li.verdicts[i].Objects[0]
		order := object.Longest
		if object.Kind == linchpin.Linearizable {
			order = object.Witness
		}
		all[i] = append(all[i], order)
	}
	return all
}

// PartialLinearizationsOperations is the same with the operations themselves. Times of events are their places.
func (li *LinearizationInfo) PartialLinearizationsOperations() [][][]Operation {
	all := make([][][]Operation, len(li.partitions))
	for i, orders := range li.PartialLinearizations() {
		all[i] = make([][]Operation, len(orders))
		for j, order := range orders {
			all[i][j] = make([]Operation, len(order))
			for k, place := range order {
				all[i][j][k] = li.partitions[i][place]
			}
		}
	}
	return all
}

// Visualize writes Linchpin's report, one HTML page: the history, the verdict, and why.
func Visualize(model Model, info LinearizationInfo, output io.Writer) error {
	verdict, err := info.whole(model)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := verdict.WriteReport(&page, "history"); err != nil {
		return err
	}
	_, err = output.Write(info.annotated(page.Bytes()))
	return err
}

// VisualizePath is Visualize into a file.
func VisualizePath(model Model, info LinearizationInfo, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := Visualize(model, info, file); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// whole is the verdict on all partitions at once: the report is on one history.
func (li *LinearizationInfo) whole(given Model) (*linchpin.Verdict, error) {
	if len(li.partitions) == 1 && li.verdicts[0] != nil {
		return li.verdicts[0], nil
	}
	type inPart struct {
		part int
		call
	}
	of := modelOf(given)
	all := linchpin.Model[interface{}, inPart, struct{}]{
		Init: of.Init, Equal: of.Equal, Hash: of.Hash, DescribeState: of.DescribeState,
		Partition:     func(c inPart) interface{} { return c.part },
		DescribeInput: func(c inPart) string { return of.DescribeInput(c.call) },
	}
	if of.LongStep != nil {
		all.LongStep = func(within context.Context, state interface{}, c inPart, none *struct{}) ([]interface{}, error) {
			return of.LongStep(within, state, c.call, none)
		}
	} else {
		all.Step = func(state interface{}, c inPart, none *struct{}) []interface{} { return of.Step(state, c.call, none) }
	}
	var together []Operation
	var parts []int
	for part, operations := range li.partitions {
		for _, operation := range operations {
			together, parts = append(together, operation), append(parts, part)
		}
	}
	steps := make([]linchpin.Operation[inPart, struct{}], len(together))
	for i, one := range stepsOf(together, metadataOf(given, true)) {
		steps[i] = linchpin.Operation[inPart, struct{}]{Process: one.Process, Input: inPart{parts[i], one.Input},
			Call: one.Call, Return: one.Return, Fields: one.Fields}
	}
	return linchpin.CheckModel(all, steps, linchpin.TimeLimit(li.timeout))
}

// annotated is the page with a table of the annotations at its end.
func (li *LinearizationInfo) annotated(page []byte) []byte {
	if len(li.annotations) == 0 {
		return page
	}
	var table bytes.Buffer
	table.WriteString("<section><h2>Annotations</h2><table><tr><th>where</th><th>from</th><th>to</th>" +
		"<th>what</th><th>details</th></tr>\n")
	for _, annotation := range li.annotations {
		where := annotation.Tag
		if where == "" {
			where = fmt.Sprintf("client %d", annotation.ClientId)
		}
		fmt.Fprintf(&table, "<tr><td>%s</td><td>%d</td><td>%d</td><td>%s</td><td>%s</td></tr>\n", html.EscapeString(where),
			annotation.Start, annotation.End, html.EscapeString(annotation.Description),
			html.EscapeString(annotation.Details))
	}
	table.WriteString("</table></section>\n")
	end := bytes.LastIndex(page, []byte("</body>"))
	if end < 0 {
		end = len(page)
	}
	return append(append(append([]byte(nil), page[:end]...), table.Bytes()...), page[end:]...)
}
