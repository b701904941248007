// The requests of continuous delivery tools to an API server, sent by the libraries that they use. Each scenario is run
// by name against the server of a kubeconfig, with the objects of a file of manifests, and exits with 0, or with 1 and
// the error.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime/pkg/log"
)

// patience is how long a scenario waits for an expected change: far longer than it takes, so that only a fault, and not
// a busy computer, exceeds it.
const patience = 6 * time.Minute

// The scenarios find the objects that they change by kind; all objects are in one namespace.
const (
	clusterKind       = "Cluster"
	deploymentKind    = "MachineDeployment"
	configurationKind = "ConfigMap"
	namespace         = "default"
)

type objects = []*unstructured.Unstructured

var scenarios = map[string]func(ctx context.Context, config *rest.Config, manifests objects) error{
	"argo":             syncWithPatches,
	"argo-server-side": syncByServerSideApply,
	"flux":             reconcileAsFlux,
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: ecosystem-suite KUBECONFIG SCENARIO MANIFESTS")
		os.Exit(2)
	}
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig, name, file string) error {
	play, found := scenarios[name]
	if !found {
		return fmt.Errorf("there is no scenario %q", name)
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	// No client-side rate limit: only the server may limit the speed.
	config.QPS, config.Burst = 500, 500
	manifests, err := read(file)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	return play(ctx, config, manifests)
}

func read(file string) (objects, error) {
	source, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	decoder := yaml.NewYAMLOrJSONDecoder(source, 4096)
	var all objects
	for {
		object := &unstructured.Unstructured{}
		if err := decoder.Decode(object); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if len(object.Object) > 0 {
			all = append(all, object)
		}
	}
}

// copies returns separate objects for each step: the libraries modify the objects that they receive.
func copies(of objects) objects {
	all := make(objects, 0, len(of))
	for _, object := range of {
		all = append(all, object.DeepCopy())
	}
	return all
}

func only(of objects, kind string) *unstructured.Unstructured {
	for _, object := range of {
		if object.GetKind() == kind {
			return object
		}
	}
	return nil
}

func without(of objects, kind string) objects {
	var rest objects
	for _, object := range of {
		if object.GetKind() != kind {
			rest = append(rest, object)
		}
	}
	return rest
}

func setReplicas(of objects, replicas int64) error {
	return unstructured.SetNestedField(only(of, deploymentKind).Object, replicas, "spec", "replicas")
}
