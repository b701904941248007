package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/cache"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/diff"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/engine"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The label by which Argo CD finds the objects of an application.
const tracking = "app.kubernetes.io/instance"

type argoRun struct {
	ctx       context.Context
	live      dynamic.Interface
	cluster   cache.ClusterCache
	engine    engine.GitOpsEngine
	manifests objects
	options   []sync.SyncOpt
}

// syncWithPatches syncs as Argo CD does by default: by three-way patches from the last applied configuration.
func syncWithPatches(ctx context.Context, config *rest.Config, manifests objects) error {
	return syncAll(ctx, config, manifests)
}

func syncByServerSideApply(ctx context.Context, config *rest.Config, manifests objects) error {
	return syncAll(ctx, config, manifests, sync.WithServerSideApply(true), sync.WithServerSideApplyManager("argocd-controller"))
}

// syncAll performs the steps of the application controller: sync, find no difference, find drift and heal it, prune.
func syncAll(ctx context.Context, config *rest.Config, manifests objects, options ...sync.SyncOpt) error {
	live, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	cluster := cache.NewClusterCache(config,
		cache.SetLogr(logr.Discard()),
		cache.SetPopulateResourceInfoHandler(func(object *unstructured.Unstructured, _ bool) (any, bool) {
			isTracked := object.GetLabels()[tracking] == "suite"
			return isTracked, isTracked
		}))
	argo := argoRun{
		ctx: ctx, live: live, cluster: cluster, manifests: manifests, options: options,
		engine: engine.NewEngine(config, cluster, engine.WithLogr(logr.Discard())),
	}
	stop, err := argo.engine.Run()
	if err != nil {
		return err
	}
	defer stop()
	for _, step := range []func() error{argo.create, argo.findNoDifference, argo.heal, argo.prune, argo.pruneAll} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (argo argoRun) source() objects {
	all := copies(argo.manifests)
	for _, object := range all {
		labels := object.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		labels[tracking] = "suite"
		object.SetLabels(labels)
		if object.GetNamespace() == "" {
			object.SetNamespace(namespace)
		}
	}
	return all
}

func isManaged(resource *cache.Resource) bool {
	managed, isSaid := resource.Info.(bool)
	return isSaid && managed && len(resource.OwnerRefs) == 0
}

// sync applies the objects to the cluster, and compares each result with the expected one.
func (argo argoRun) sync(all objects, expected func(kind string) common.ResultCode) error {
	options := append([]sync.SyncOpt{sync.WithLogr(logr.Discard()), sync.WithPrune(true)}, argo.options...)
	results, err := argo.engine.Sync(argo.ctx, all, isManaged, "revision", namespace, options...)
	if err != nil {
		return err
	}
	for _, result := range results {
		if wanted := expected(result.ResourceKey.Kind); result.Status != wanted {
			return fmt.Errorf("%s: %s (%s), not %s", result.ResourceKey.String(), result.Status, result.Message, wanted)
		}
	}
	return nil
}

func synced(string) common.ResultCode { return common.ResultCodeSynced }

func (argo argoRun) create() error {
	return argo.sync(argo.source(), synced)
}

// differences counts the objects that differ between the cluster and the source.
func (argo argoRun) differences(all objects) (int, error) {
	managed, err := argo.cluster.GetManagedLiveObjs(all, isManaged)
	if err != nil {
		return 0, err
	}
	pairs := sync.Reconcile(all, managed, namespace, argo.cluster)
	found, err := diff.DiffArray(pairs.Target, pairs.Live, diff.WithLogr(logr.Discard()))
	if err != nil {
		return 0, err
	}
	count := 0
	for _, one := range found.Diffs {
		if one.Modified {
			count++
		}
	}
	return count, nil
}

// until waits until the cache, which is updated by watches, shows this number of differences.
func (argo argoRun) until(what string, wanted int) error {
	end := time.Now().Add(patience)
	for {
		count, err := argo.differences(argo.source())
		if err != nil {
			return err
		}
		if count == wanted {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s: %d objects differ, not %d", what, count, wanted)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (argo argoRun) findNoDifference() error {
	if err := argo.until("after the sync", 0); err != nil {
		return err
	}
	return argo.sync(argo.source(), synced)
}

func (argo argoRun) resourceOf(object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	wanted := object.GroupVersionKind()
	for _, known := range argo.cluster.GetAPIResources() {
		if known.GroupKind == wanted.GroupKind() && known.GroupVersionResource.Version == wanted.Version {
			return argo.live.Resource(known.GroupVersionResource).Namespace(namespace), nil
		}
	}
	return nil, fmt.Errorf("the cache does not know %s", wanted)
}

func (argo argoRun) heal() error {
	target := only(argo.source(), deploymentKind)
	wanted, _, err := unstructured.NestedInt64(target.Object, "spec", "replicas")
	if err != nil {
		return err
	}
	resource, err := argo.resourceOf(target)
	if err != nil {
		return err
	}
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"replicas": wanted + 2}})
	if err != nil {
		return err
	}
	if _, err := resource.Patch(argo.ctx, target.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "kubectl-edit"}); err != nil {
		return err
	}
	if err := argo.until("after the edit", 1); err != nil {
		return err
	}
	if err := argo.sync(argo.source(), synced); err != nil {
		return err
	}
	healed, err := resource.Get(argo.ctx, target.GetName(), metav1.GetOptions{})
	if err != nil {
		return err
	}
	if replicas, _, err := unstructured.NestedInt64(healed.Object, "spec", "replicas"); err != nil || replicas != wanted {
		return fmt.Errorf("%d replicas after the sync, not %d (%v)", replicas, wanted, err)
	}
	return argo.until("after the heal", 0)
}

func (argo argoRun) prune() error {
	removed := only(argo.source(), configurationKind)
	pruned := func(kind string) common.ResultCode {
		if kind == configurationKind {
			return common.ResultCodePruned
		}
		return common.ResultCodeSynced
	}
	if err := argo.sync(without(argo.source(), configurationKind), pruned); err != nil {
		return err
	}
	return argo.gone(removed)
}

func (argo argoRun) gone(object *unstructured.Unstructured) error {
	resource, err := argo.resourceOf(object)
	if err != nil {
		return err
	}
	if _, err := resource.Get(argo.ctx, object.GetName(), metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		return fmt.Errorf("%s %s is still there (%v)", object.GetKind(), object.GetName(), err)
	}
	return argo.untilForgotten(object)
}

// untilForgotten waits until the watch has removed an object from the cache: an earlier sync would prune it again.
func (argo argoRun) untilForgotten(object *unstructured.Unstructured) error {
	key := kube.GetResourceKey(object)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		managed, err := argo.cluster.GetManagedLiveObjs(objects{}, isManaged)
		if err != nil {
			return err
		}
		if _, isKnown := managed[key]; !isKnown {
			return nil
		}
	}
	return fmt.Errorf("the cache still has %s", key.String())
}

func (argo argoRun) pruneAll() error {
	if err := argo.sync(objects{}, func(string) common.ResultCode { return common.ResultCodePruned }); err != nil {
		return err
	}
	for _, object := range argo.source() {
		if err := argo.gone(object); err != nil {
			return err
		}
	}
	return nil
}
