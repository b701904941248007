package main

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// patchObjects sends each kind of patch, to an object and to its status.
func patchObjects(ctx context.Context, config *rest.Config) error {
	client, err := resourceOf(config, deployments)
	if err != nil {
		return err
	}
	if _, err := client.Create(ctx, newDeployment("patched", 1), metav1.CreateOptions{}); err != nil {
		return err
	}
	patch := func(kind types.PatchType, body string, subresources ...string) (*object, error) {
		return client.Patch(ctx, "patched", kind, []byte(body), metav1.PatchOptions{}, subresources...)
	}
	merged, err := patch(types.MergePatchType, `{"spec":{"replicas":2},"status":{"replicas":9}}`)
	if err != nil {
		return err
	}
	replaced, err := patch(types.JSONPatchType, `[{"op":"replace","path":"/spec/replicas","value":3}]`)
	if err != nil {
		return err
	}
	_, failed := patch(types.JSONPatchType, `[{"op":"test","path":"/spec/replicas","value":7}]`)
	_, strategic := patch(types.StrategicMergePatchType, `{}`)
	reported, err := patch(types.MergePatchType, `{"spec":{"replicas":9},"status":{"replicas":3}}`, "status")
	if err != nil {
		return err
	}
	replicas := func(of *object, part string) int64 {
		count, _, _ := unstructured.NestedInt64(of.Object, part, "replicas")
		return count
	}
	return errors.Join(
		must(replicas(merged, "spec") == 2 && replicas(merged, "status") == 0, "a merge patch of spec alone"),
		must(replicas(replaced, "spec") == 3 && replaced.GetGeneration() == 3, "a JSON patch and generation 3"),
		must(apierrors.IsInvalid(failed), "Invalid for a test that fails, not %v", failed),
		must(apierrors.IsUnsupportedMediaType(strategic), "UnsupportedMediaType, not %v", strategic),
		must(replicas(reported, "spec") == 3 && replicas(reported, "status") == 3, "a patch of status alone"),
	)
}

// applyObjects applies an object by two managers, which conflict.
func applyObjects(ctx context.Context, config *rest.Config) error {
	client, err := resourceOf(config, deployments)
	if err != nil {
		return err
	}
	apply := func(manager string, replicas int64, force bool) (*object, error) {
		return client.Apply(ctx, "applied", newDeployment("applied", replicas), metav1.ApplyOptions{FieldManager: manager, Force: force})
	}
	first, err := apply("one", 1, false)
	if err != nil {
		return err
	}
	again, err := apply("one", 1, false)
	if err != nil {
		return err
	}
	_, conflict := apply("two", 2, false)
	forced, err := apply("two", 2, true)
	if err != nil {
		return err
	}
	status, err := client.ApplyStatus(ctx, "applied", &object{Object: map[string]any{
		"apiVersion": clusterAPI.String(), "kind": "MachineDeployment",
		"metadata": map[string]any{"name": "applied"}, "status": map[string]any{"replicas": int64(2)},
	}}, metav1.ApplyOptions{FieldManager: "reporter"})
	if err != nil {
		return err
	}
	return errors.Join(
		must(again.GetResourceVersion() == first.GetResourceVersion(), "an apply that changes nothing to write nothing"),
		must(apierrors.IsConflict(conflict), "a Conflict, not %v", conflict),
		must(apierrors.HasStatusCause(conflict, metav1.CauseTypeFieldManagerConflict), "the manager as a cause of %v", conflict),
		must(len(forced.GetManagedFields()) == 2, "two managers, not %v", forced.GetManagedFields()),
		must(len(status.GetManagedFields()) == 3, "three managers, not %v", status.GetManagedFields()),
	)
}
