package main

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

const namespace = "default"

var (
	clusterAPI     = schema.GroupVersion{Group: "cluster.x-k8s.io", Version: "v1beta2"}
	infrastructure = schema.GroupVersion{Group: "infrastructure.cluster.x-k8s.io", Version: "v1beta2"}
	templates      = infrastructure.WithResource("awsmachinetemplates")
	deployments    = clusterAPI.WithResource("machinedeployments")
	machineSets    = clusterAPI.WithResource("machinesets")
	machines       = clusterAPI.WithResource("machines")
	healthChecks   = clusterAPI.WithResource("machinehealthchecks")
)

type object = unstructured.Unstructured

// newTemplate returns the smallest infrastructure object.
func newTemplate(name string, labels map[string]any) *object {
	return &object{Object: map[string]any{
		"apiVersion": infrastructure.String(),
		"kind":       "AWSMachineTemplate",
		"metadata":   map[string]any{"name": name, "namespace": namespace, "labels": labels},
		"spec": map[string]any{"template": map[string]any{"spec": map[string]any{
			"instanceType": "t3.medium", "sshKeyName": "",
		}}},
	}}
}

// newDeployment has no cluster, so no machines are created for it.
func newDeployment(name string, replicas int64) *object {
	return &object{Object: map[string]any{
		"apiVersion": clusterAPI.String(),
		"kind":       "MachineDeployment",
		"metadata":   map[string]any{"name": name, "namespace": namespace},
		"spec": map[string]any{
			"clusterName": "nowhere",
			"replicas":    replicas,
			"template": map[string]any{"spec": map[string]any{
				"clusterName": "nowhere",
				"version":     "v1.34.0",
				"bootstrap":   map[string]any{"dataSecretName": "none"},
				"infrastructureRef": map[string]any{
					"apiGroup": infrastructure.Group, "kind": "AWSMachineTemplate", "name": "none",
				},
			}},
		},
	}}
}

// must returns an error that states what was expected, unless the claim is true.
func must(holds bool, format string, arguments ...any) error {
	if holds {
		return nil
	}
	return fmt.Errorf("expected "+format, arguments...)
}

func resourceOf(config *rest.Config, resource schema.GroupVersionResource) (dynamic.ResourceInterface, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return client.Resource(resource).Namespace(namespace), nil
}

func setLabel(of *object, key, value string) *object {
	labels := of.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	labels[key] = value
	of.SetLabels(labels)
	return of
}

// writeObjects creates, reads and updates, and causes a conflict.
func writeObjects(ctx context.Context, config *rest.Config) error {
	client, err := resourceOf(config, templates)
	if err != nil {
		return err
	}
	created, err := client.Create(ctx, newTemplate("written", nil), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, twice := client.Create(ctx, newTemplate("written", nil), metav1.CreateOptions{})
	updated, err := client.Update(ctx, setLabel(created.DeepCopy(), "turn", "first"), metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	_, late := client.Update(ctx, setLabel(created.DeepCopy(), "turn", "second"), metav1.UpdateOptions{})
	tried, err := client.Update(ctx, setLabel(updated.DeepCopy(), "turn", "third"), metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return err
	}
	read, err := client.Get(ctx, "written", metav1.GetOptions{})
	if err != nil {
		return err
	}
	generated := newTemplate("", nil)
	generated.SetGenerateName("made-")
	named, err := client.Create(ctx, generated, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	return errors.Join(
		must(created.GetUID() != "" && created.GetGeneration() == 1, "a uid and generation 1: %v", created.Object["metadata"]),
		must(apierrors.IsAlreadyExists(twice), "AlreadyExists, not %v", twice),
		must(apierrors.IsConflict(late), "a Conflict, not %v", late),
		must(tried.GetLabels()["turn"] == "third" && read.GetLabels()["turn"] == "first", "a dry run that leaves no trace"),
		must(updated.GetResourceVersion() == read.GetResourceVersion(), "the version of the update"),
		must(updated.GetGeneration() == 1, "no new generation for a label, not %d", updated.GetGeneration()),
		must(len(named.GetName()) == len("made-")+5, "a generated name, not %q", named.GetName()),
	)
}

// meetRefusals expects each mistake to result in the error that the libraries recognize.
func meetRefusals(ctx context.Context, config *rest.Config) error {
	client, err := resourceOf(config, healthChecks)
	if err != nil {
		return err
	}
	_, absent := client.Get(ctx, "nobody", metav1.GetOptions{})
	wrong := newDeployment("wrong", 1)
	wrong.Object["spec"].(map[string]any)["clusterName"] = ""
	md, err := resourceOf(config, deployments)
	if err != nil {
		return err
	}
	_, invalid := md.Create(ctx, wrong, metav1.CreateOptions{})
	unknown := newDeployment("unknown", 1)
	unknown.Object["spec"].(map[string]any)["bogus"] = true
	_, strict := md.Create(ctx, unknown, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	leases, err := resourceOf(config, schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"})
	if err != nil {
		return err
	}
	_, unserved := leases.Get(ctx, "leader", metav1.GetOptions{})
	status := &apierrors.StatusError{}
	causes := errors.As(invalid, &status) && status.ErrStatus.Details != nil && len(status.ErrStatus.Details.Causes) > 0
	return errors.Join(
		must(apierrors.IsNotFound(absent), "NotFound, not %v", absent),
		must(apierrors.IsInvalid(invalid), "Invalid, not %v", invalid),
		must(causes && status.ErrStatus.Details.Causes[0].Field == "spec.clusterName", "the field as a cause of %v", invalid),
		must(apierrors.IsBadRequest(strict), "BadRequest, not %v", strict),
		must(apierrors.IsNotFound(unserved), "NotFound, not %v", unserved),
	)
}
