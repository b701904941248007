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

// A scheme with all that the functions add.
func schemeOf(adds ...func(*runtime.Scheme) error) *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, add := range adds {
		must(add(scheme))
	}
	return scheme
}

func cacheClusters(ctx context.Context, manager ctrl.Manager) clustercache.ClusterCache {
	secrets, err := client.New(manager.GetConfig(), client.Options{Scheme: manager.GetScheme()})
	must(err)
	options := clustercache.Options{SecretClient: secrets, Client: clustercache.ClientOptions{UserAgent: "conditions-suite"}}
	cache, err := clustercache.SetupWithManager(ctx, manager, options, controller.Options{})
	must(err)
	return cache
}

func main() {
	port := flag.Int("workload-port", 0, "port of the first workload cluster's API server; further ones follow")
	// controller-runtime adds the flag --kubeconfig.
	flag.Parse()
	ctrl.SetLogger(klog.Background())
	ctx := ctrl.SetupSignalHandler()

	scheme := schemeOf(clientgoscheme.AddToScheme, apiextensionsv1.AddToScheme, clusterv1.AddToScheme, infrav1.AddToScheme)
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{Scheme: scheme, Metrics: server.Options{BindAddress: "0"}})
	must(err)

	cloud := schemeOf(cloudv1.AddToScheme, corev1.AddToScheme, appsv1.AddToScheme, rbacv1.AddToScheme,
		storagev1.AddToScheme, apiextensionsv1.AddToScheme, policyv1.AddToScheme)
	inMemory := inmemoryruntime.NewManager(cloud)
	must(inMemory.Start(ctx))
	ports := inmemoryserver.CustomPorts{MinPort: int32(*port), MaxPort: int32(*port) + 1}
	mux, err := inmemoryserver.NewWorkloadClustersMux(inMemory, host, ports)
	must(err)

	// The reconcilers insist on one. Nothing connects to it: there are no machines of the other backend.
	containers, err := container.NewDockerClient()
	must(err)
	must((&controllers.DevClusterReconciler{
		Client:           manager.GetClient(),
		ContainerRuntime: containers,
		InMemoryManager:  inMemory,
		APIServerMux:     mux,
	}).SetupWithManager(ctx, manager, controller.Options{}))
	must((&controllers.DevMachineReconciler{
		Client:           manager.GetClient(),
		ContainerRuntime: containers,
		ClusterCache:     cacheClusters(ctx, manager),
		InMemoryManager:  inMemory,
		APIServerMux:     mux,
	}).SetupWithManager(ctx, manager, controller.Options{}))
	must(manager.Start(ctx))
}
