// Renders metrics of objects as kube-state-metrics does with Cluster API's own configuration.
//
// Reads {"module", "file", "objects": []} and writes the samples, one per line, grouped by family, each group after a line
// "# HELP name text". The module, which contains the file, is downloaded from the Go module proxy.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/kube-state-metrics/v2/pkg/customresourcestate"
	"k8s.io/kube-state-metrics/v2/pkg/metric"
)

type request struct {
	Module  string                   `json:"module"`
	File    string                   `json:"file"`
	Objects []map[string]interface{} `json:"objects"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// The module's folder in the module cache; downloads the module if necessary.
func folderOf(module string) string {
	command := exec.Command("go", "mod", "download", "-json", module)
	command.Dir = must(os.MkdirTemp("", "metrics-"))
	defer os.RemoveAll(command.Dir)
	found := struct{ Dir, Error string }{}
	output, failure := command.Output()
	if err := json.Unmarshal(output, &found); err != nil || found.Error != "" {
		panic(errors.Join(errors.New(found.Error), failure))
	}
	return found.Dir
}

func main() {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		panic(err)
	}
	text := must(os.ReadFile(filepath.Join(folderOf(asked.Module), asked.File)))
	var config customresourcestate.Metrics
	if err := yaml.Unmarshal(text, &config); err != nil {
		panic(err)
	}
	for _, resource := range config.Spec.Resources {
		for index := range resource.Metrics {
			each := &resource.Metrics[index].Each
			each.Type = metric.Type(strings.ToLower(string(each.Type)))
		}
		factory := must(customresourcestate.NewCustomResourceMetrics(resource))
		for _, family := range factory.MetricFamilyGenerators() {
			fmt.Printf("# HELP %s %s\n", family.Name, family.Help)
			for _, content := range asked.Objects {
				object := &unstructured.Unstructured{Object: content}
				kind := object.GroupVersionKind()
				wanted := resource.GroupVersionKind
				if kind.Group == wanted.Group && kind.Version == wanted.Version && kind.Kind == wanted.Kind {
					os.Stdout.Write(family.Generate(object).ByteSlice())
				}
			}
		}
	}
}
