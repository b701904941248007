// The requests of controllers and autoscalers to an API server, sent by their libraries. Each scenario is run by name
// against the server of a kubeconfig and exits with 0, or with 1 and the error.
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

// patience is how long a scenario waits for an expected change: far longer than it takes, so that only a fault, and not
// a busy computer, exceeds it.
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
	// No client-side rate limit: only the server may limit the speed.
	config.QPS, config.Burst = 500, 500
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	return play(ctx, config)
}
