package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
)

// The MachineDeployment of examples/quickstart.yaml, whose cluster must be running.
const workers = "quickstart-md-0"

const deleteMachine = "cluster.x-k8s.io/delete-machine"

// autoscale does what the autoscaler's provider for Cluster API does: informers of deployments, sets and machines, the
// scale subresource up and down, and the annotation on the machine to delete.
func autoscale(ctx context.Context, config *rest.Config) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, metav1.NamespaceAll, nil)
	factory.ForResource(deployments).Informer()
	factory.ForResource(machineSets).Informer()
	known := factory.ForResource(machines).Informer().GetStore()
	factory.Start(ctx.Done())
	for resource, inStep := range factory.WaitForCacheSync(ctx.Done()) {
		if !inStep {
			return fmt.Errorf("the informer of %v never synced", resource)
		}
	}
	before := nodesOf(known)
	if err := resize(ctx, config, +1); err != nil {
		return err
	}
	if err := grown(ctx, known, len(before)+1); err != nil {
		return err
	}
	// Not the newest, which some policies would delete anyway.
	victim := firstOf(before)
	if err := mark(ctx, client, victim); err != nil {
		return err
	}
	if err := resize(ctx, config, -1); err != nil {
		return err
	}
	return shrunk(ctx, known, victim, len(before))
}

// resize reads the scale and writes it back, as the autoscaler does. If a controller was faster, the autoscaler tries the
// same change again in its next loop; here it is retried at once.
func resize(ctx context.Context, config *rest.Config, by int32) error {
	scales, err := scalesOf(config)
	if err != nil {
		return err
	}
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		scale, err := scales.Get(ctx, deployments.GroupResource(), workers, metav1.GetOptions{})
		if err != nil {
			return err
		}
		scale.Spec.Replicas += by
		_, err = scales.Update(ctx, deployments.GroupResource(), scale, metav1.UpdateOptions{})
		return err
	})
}

// nodesOf returns the machines of the deployment that have nodes, by name.
func nodesOf(store cache.Store) map[string]*object {
	nodes := map[string]*object{}
	for _, each := range store.List() {
		machine := each.(*object)
		node, _, _ := unstructured.NestedString(machine.Object, "status", "nodeRef", "name")
		provider, _, _ := unstructured.NestedString(machine.Object, "spec", "providerID")
		if machine.GetLabels()["cluster.x-k8s.io/deployment-name"] == workers && node != "" && provider != "" {
			nodes[machine.GetName()] = machine
		}
	}
	return nodes
}

func firstOf(nodes map[string]*object) string {
	first := ""
	for name, machine := range nodes {
		if first == "" || machine.GetCreationTimestamp().Time.Before(nodes[first].GetCreationTimestamp().Time) {
			first = name
		}
	}
	return first
}

func mark(ctx context.Context, client dynamic.Interface, name string) error {
	resource := client.Resource(machines).Namespace(namespace)
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		machine, err := resource.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		annotations := machine.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[deleteMachine] = time.Now().String()
		machine.SetAnnotations(annotations)
		_, err = resource.Update(ctx, machine, metav1.UpdateOptions{})
		return err
	})
}

func grown(ctx context.Context, known cache.Store, count int) error {
	err := until(ctx, func() bool { return len(nodesOf(known)) == count })
	return errors.Join(err, must(err == nil, "%d nodes, not %d", count, len(nodesOf(known))))
}

func shrunk(ctx context.Context, known cache.Store, victim string, count int) error {
	err := until(ctx, func() bool { _, there, _ := known.GetByKey(namespace + "/" + victim); return !there })
	return errors.Join(err, must(len(nodesOf(known)) == count, "%d nodes, not %d", count, len(nodesOf(known))))
}

func until(ctx context.Context, holds func() bool) error {
	return wait.PollUntilContextTimeout(ctx, 200*time.Millisecond, patience, true, func(context.Context) (bool, error) {
		return holds(), nil
	})
}
