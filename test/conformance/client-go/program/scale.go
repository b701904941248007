package main

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
)

// scalesOf discovers which resources can be scaled and by which kind, as autoscalers do.
func scalesOf(config *rest.Config) (scale.ScaleInterface, error) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	cached := memory.NewMemCacheClient(client)
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(cached)
	scales, err := scale.NewForConfig(config, mapper, dynamic.LegacyAPIPathResolverFunc, scale.NewDiscoveryScaleKindResolver(cached))
	if err != nil {
		return nil, err
	}
	return scales.Scales(namespace), nil
}

func scaleObjects(ctx context.Context, config *rest.Config) error {
	client, err := resourceOf(config, deployments)
	if err != nil {
		return err
	}
	if _, err := client.Create(ctx, newDeployment("scaled", 2), metav1.CreateOptions{}); err != nil {
		return err
	}
	scales, err := scalesOf(config)
	if err != nil {
		return err
	}
	resource := deployments.GroupResource()
	found, err := scales.Get(ctx, resource, "scaled", metav1.GetOptions{})
	if err != nil {
		return err
	}
	wanted := found.DeepCopy()
	wanted.Spec.Replicas = 5
	updated, err := scales.Update(ctx, resource, wanted, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	_, late := scales.Update(ctx, resource, wanted, metav1.UpdateOptions{})
	patched, err := scales.Patch(ctx, deployments, "scaled", types.MergePatchType, []byte(`{"spec":{"replicas":0}}`), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	negative := patched.DeepCopy()
	negative.Spec.Replicas = -1
	_, invalid := scales.Update(ctx, resource, negative, metav1.UpdateOptions{})
	_, unscalable := scales.Get(ctx, templates.GroupResource(), "none", metav1.GetOptions{})
	return errors.Join(
		must(found.Spec.Replicas == 2, "2 replicas, not %d", found.Spec.Replicas),
		must(updated.Spec.Replicas == 5 && updated.ResourceVersion != found.ResourceVersion, "5 replicas, not %v", updated),
		must(apierrors.IsConflict(late), "a Conflict, not %v", late),
		must(patched.Spec.Replicas == 0, "no replicas, not %d", patched.Spec.Replicas),
		must(apierrors.IsInvalid(invalid), "Invalid, not %v", invalid),
		must(unscalable != nil, "no scale of a template"),
	)
}
