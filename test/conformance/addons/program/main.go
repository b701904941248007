// Reads manifests from its input as Cluster API reads those of a ClusterResourceSet, and writes the objects in the order in
// which it would create them.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"sigs.k8s.io/cluster-api/util/resource"
	"sigs.k8s.io/cluster-api/util/yaml"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	objects, err := yaml.ToUnstructured(text)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	contents := []map[string]any{}
	for _, object := range resource.SortForCreate(objects) {
		contents = append(contents, object.Object)
	}
	if err := json.NewEncoder(os.Stdout).Encode(contents); err != nil {
		panic(err)
	}
}
