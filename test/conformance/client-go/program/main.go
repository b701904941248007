// What controllers and autoscalers do to an API server, with the libraries that they are made of. Each scenario is run
// by its name against the server of a kubeconfig and ends with 0, or with 1 and what went wrong.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/go-logr/logr"
)

// patience is how long a scenario waits for what has to come: far longer than that takes, so that only a fault gets there,
// not a busy computer.
const patience = 5 * time.Minute

type scenario func(ctx context.Context, config *rest.Config) error

var scenarios = map[string]scenario{
	"discovery":          discoverKinds,
	"objects":            writeObjects,
	"patches":            patchObjects,
	"apply":              applyObjects,
	"lists":              listPages,
	"refusals":           meetRefusals,
	"deletion":           deleteObjects,
	"typed":              useTypedClient,
	"events":             recordEvents,
	"informer":           followByInformer,
	"informer-gone":      listAgainAfterGone,
	"watch-again":        retryWatch,
	"scale":              scaleObjects,
	"controller-runtime": useControllerRuntime,
	"autoscaler":         autoscale,
	"leader-election":    elect,
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: client-go-suite KUBECONFIG SCENARIO")
		os.Exit(2)
	}
	ctrl.SetLogger(logr.Discard())
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig, name string) error {
	play, found := scenarios[name]
	if !found {
		return fmt.Errorf("there is no scenario %q", name)
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.UserAgent = "client-go-suite"
	// As many requests as the scenario likes: the server is to be the slow one.
	config.QPS, config.Burst = 500, 500
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	return play(ctx, config)
}
