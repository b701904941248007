// Runs upstream's controllers of DevClusters and DevMachines alone, whose in-memory backend needs no container runtime.
//
// Upstream's own command is not used: it serves each workload cluster on a fixed port, and its webhooks are not needed.
package main

import (
	"context"
	"flag"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/cluster-api/test/infrastructure/container"
	infrav1 "sigs.k8s.io/cluster-api/test/infrastructure/docker/api/v1beta2"
	"sigs.k8s.io/cluster-api/test/infrastructure/docker/controllers"
	cloudv1 "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/cloud/api/v1alpha1"
	inmemoryruntime "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/runtime"
	inmemoryserver "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/server"
)

const host = "127.0.0.1"

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// A scheme with all types that the functions add.
func schemeOf(adds ...func(*runtime.Scheme) error) *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, add := range adds {
		must(add(scheme))
	}
	return scheme
}

// The concurrency. Names and defaults are those of upstream's own command, except for the ports.
type settings struct {
	port, ports                int
	clusters, machines, caches int
	burst, cacheBurst          int
	qps, cacheQPS              float64
}

func parse() settings {
	var s settings
	flag.IntVar(&s.port, "workload-port", 0, "port of the first workload cluster's API server; further ones follow")
	flag.IntVar(&s.ports, "workload-ports", 2, "number of these ports")
	flag.IntVar(&s.clusters, "devcluster-concurrency", 50, "clusters that are reconciled at a time")
	flag.IntVar(&s.machines, "devmachine-concurrency", 50, "machines that are reconciled at a time")
	flag.IntVar(&s.caches, "clustercache-concurrency", 100, "workload clusters that are connected to at a time")
	flag.Float64Var(&s.qps, "kube-api-qps", 100, "requests a second to the management cluster")
	flag.IntVar(&s.burst, "kube-api-burst", 200, "requests at once to the management cluster")
	flag.Float64Var(&s.cacheQPS, "clustercache-client-qps", 20, "requests a second to each workload cluster")
	flag.IntVar(&s.cacheBurst, "clustercache-client-burst", 30, "requests at once to each workload cluster")
	// controller-runtime adds the flag --kubeconfig.
	flag.Parse()
	return s
}

func concurrently(count int) controller.Options {
	return controller.Options{MaxConcurrentReconciles: count}
}

func cacheClusters(ctx context.Context, manager ctrl.Manager, s settings) clustercache.ClusterCache {
	secrets, err := client.New(manager.GetConfig(), client.Options{Scheme: manager.GetScheme()})
	must(err)
	clients := clustercache.ClientOptions{UserAgent: "conditions-suite", QPS: float32(s.cacheQPS), Burst: s.cacheBurst}
	options := clustercache.Options{SecretClient: secrets, Client: clients}
	cache, err := clustercache.SetupWithManager(ctx, manager, options, concurrently(s.caches))
	must(err)
	return cache
}

func main() {
	s := parse()
	ctrl.SetLogger(klog.Background())
	ctx := ctrl.SetupSignalHandler()

	scheme := schemeOf(clientgoscheme.AddToScheme, apiextensionsv1.AddToScheme, clusterv1.AddToScheme, infrav1.AddToScheme)
	config := ctrl.GetConfigOrDie()
	config.QPS, config.Burst = float32(s.qps), s.burst
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, Metrics: server.Options{BindAddress: "0"}})
	must(err)

	cloud := schemeOf(cloudv1.AddToScheme, corev1.AddToScheme, appsv1.AddToScheme, rbacv1.AddToScheme,
		storagev1.AddToScheme, apiextensionsv1.AddToScheme, policyv1.AddToScheme)
	inMemory := inmemoryruntime.NewManager(cloud)
	must(inMemory.Start(ctx))
	ports := inmemoryserver.CustomPorts{MinPort: int32(s.port), MaxPort: int32(s.port + s.ports - 1)}
	mux, err := inmemoryserver.NewWorkloadClustersMux(inMemory, host, ports)
	must(err)

	// The reconcilers require one. Nothing connects to it: there are no machines of the other backend.
	containers, err := container.NewDockerClient()
	must(err)
	must((&controllers.DevClusterReconciler{
		Client:           manager.GetClient(),
		ContainerRuntime: containers,
		InMemoryManager:  inMemory,
		APIServerMux:     mux,
	}).SetupWithManager(ctx, manager, concurrently(s.clusters)))
	must((&controllers.DevMachineReconciler{
		Client:           manager.GetClient(),
		ContainerRuntime: containers,
		ClusterCache:     cacheClusters(ctx, manager, s),
		InMemoryManager:  inMemory,
		APIServerMux:     mux,
	}).SetupWithManager(ctx, manager, concurrently(s.machines)))
	must(manager.Start(ctx))
}
