package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/pkg/ssa"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The field manager and the group of labels of Flux's kustomize-controller.
var owner = ssa.Owner{Field: "kustomize-controller", Group: "kustomize.toolkit.fluxcd.io"}

// reconcileAsFlux performs the steps of kustomize-controller for a Kustomization: apply, wait for health, correct drift,
// prune objects that were removed from the source, and delete all objects.
func reconcileAsFlux(ctx context.Context, config *rest.Config, manifests objects) error {
	direct, err := client.New(config, client.Options{Scheme: runtime.NewScheme()})
	if err != nil {
		return err
	}
	poller := polling.NewStatusPoller(direct, direct.RESTMapper(), polling.Options{})
	flux := fluxRun{ctx: ctx, direct: direct, manager: ssa.NewResourceManager(direct, poller, owner), manifests: manifests}
	flux.manager.SetConcurrency(4)
	for _, step := range []func() error{
		flux.create, flux.waitForHealth, flux.leaveAlone, flux.correctDrift, flux.change, flux.prune, flux.end,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

type fluxRun struct {
	ctx       context.Context
	direct    client.Client
	manager   *ssa.ResourceManager
	manifests objects
}

// source returns the output of the Kustomization: the manifests with Flux's labels, in the target namespace.
func (flux fluxRun) source() objects {
	all := copies(flux.manifests)
	for _, object := range all {
		object.SetNamespace(namespace)
	}
	flux.manager.SetOwnerLabels(all, "suite", namespace)
	return all
}

// expect applies the objects and compares the actions with those expected by kind; other objects must be unchanged.
func (flux fluxRun) expect(all objects, expected map[string]ssa.Action, otherwise ssa.Action) error {
	changes, err := flux.manager.ApplyAllStaged(flux.ctx, all, ssa.DefaultApplyOptions())
	if err != nil {
		return err
	}
	for _, entry := range changes.Entries {
		wanted, named := expected[entry.ObjMetadata.GroupKind.Kind]
		if !named {
			wanted = otherwise
		}
		if entry.Action != wanted {
			return fmt.Errorf("%s was %s, not %s", entry.Subject, entry.Action, wanted)
		}
	}
	if len(changes.Entries) != len(all) {
		return fmt.Errorf("%d objects were applied, not %d", len(changes.Entries), len(all))
	}
	return nil
}

func (flux fluxRun) create() error {
	return flux.expect(flux.source(), nil, ssa.CreatedAction)
}

// The drift detection of the next reconciliation compares with a dry run, in which defaults must not show up as changes.
// While the cluster is created, its controllers may write between Flux's read and its dry run, which looks like drift:
// so this comes after the cluster is available.
func (flux fluxRun) leaveAlone() error {
	return flux.expect(flux.source(), nil, ssa.UnchangedAction)
}

// waitForHealth waits for what kstatus knows, and then for the condition Available, as users do with healthCheckExprs.
func (flux fluxRun) waitForHealth() error {
	const interval = 500 * time.Millisecond
	if err := flux.manager.Wait(flux.source(), ssa.WaitOptions{Interval: interval, Timeout: patience}); err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(flux.ctx, interval, patience, true, flux.isAvailable)
}

func (flux fluxRun) isAvailable(ctx context.Context) (bool, error) {
	cluster := only(flux.source(), clusterKind)
	if err := flux.direct.Get(ctx, client.ObjectKeyFromObject(cluster), cluster); err != nil {
		return false, err
	}
	conditions, _, err := unstructured.NestedSlice(cluster.Object, "status", "conditions")
	for _, entry := range conditions {
		condition, isObject := entry.(map[string]any)
		if isObject && condition["type"] == "Available" {
			return condition["status"] == "True", err
		}
	}
	return false, err
}

func (flux fluxRun) replicas() (int64, error) {
	live := only(flux.source(), deploymentKind)
	if err := flux.direct.Get(flux.ctx, client.ObjectKeyFromObject(live), live); err != nil {
		return 0, err
	}
	replicas, _, err := unstructured.NestedInt64(live.Object, "spec", "replicas")
	return replicas, err
}

// edit changes the replicas as kubectl edit does, with another field manager.
func (flux fluxRun) edit(replicas int64) error {
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"replicas": replicas}})
	if err != nil {
		return err
	}
	target := only(flux.source(), deploymentKind)
	return flux.direct.Patch(flux.ctx, target, client.RawPatch("application/merge-patch+json", patch), client.FieldOwner("kubectl-edit"))
}

func (flux fluxRun) correctDrift() error {
	before, err := flux.replicas()
	if err != nil {
		return err
	}
	if err := flux.edit(before + 1); err != nil {
		return err
	}
	entry, _, _, err := flux.manager.Diff(flux.ctx, only(flux.source(), deploymentKind), ssa.DefaultDiffOptions())
	if err != nil {
		return err
	}
	if entry.Action != ssa.ConfiguredAction {
		return fmt.Errorf("the diff after the edit says %s", entry.Action)
	}
	corrected := map[string]ssa.Action{deploymentKind: ssa.ConfiguredAction}
	if err := flux.expect(flux.source(), corrected, ssa.UnchangedAction); err != nil {
		return err
	}
	after, err := flux.replicas()
	if err == nil && after != before {
		err = fmt.Errorf("%d replicas after the correction, not %d", after, before)
	}
	return err
}

func (flux fluxRun) change() error {
	all := flux.source()
	before, err := flux.replicas()
	if err != nil {
		return err
	}
	if err := setReplicas(all, before+1); err != nil {
		return err
	}
	if err := flux.expect(all, map[string]ssa.Action{deploymentKind: ssa.ConfiguredAction}, ssa.UnchangedAction); err != nil {
		return err
	}
	return flux.waitForHealth()
}

// delete deletes the objects with Flux's labels, as its garbage collection does, and waits until they are gone.
func (flux fluxRun) delete(all objects) error {
	options := ssa.DefaultDeleteOptions()
	options.Inclusions = flux.manager.GetOwnerLabels("suite", namespace)
	changes, err := flux.manager.DeleteAll(flux.ctx, all, options)
	if err != nil {
		return err
	}
	for _, entry := range changes.Entries {
		if entry.Action != ssa.DeletedAction {
			return fmt.Errorf("%s was %s, not deleted", entry.Subject, entry.Action)
		}
	}
	return flux.manager.WaitForTermination(all, ssa.WaitOptions{Interval: 200 * time.Millisecond, Timeout: patience})
}

func (flux fluxRun) prune() error {
	return flux.delete(objects{only(flux.source(), configurationKind)})
}

// The objects of a Cluster are deleted with it; templates are deleted by Flux.
func (flux fluxRun) end() error {
	return flux.delete(without(flux.source(), configurationKind))
}
