package main

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/pager"
)

// listPages pages through a list, and selects by labels and fields.
func listPages(ctx context.Context, config *rest.Config) error {
	client, err := resourceOf(config, templates)
	if err != nil {
		return err
	}
	for index := range 7 {
		labels := map[string]any{"suite": "pages", "odd": fmt.Sprint(index%2 == 1)}
		if _, err := client.Create(ctx, newTemplate(fmt.Sprintf("page-%d", index), labels), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	list := func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return client.List(ctx, options)
	}
	pages := pager.New(list)
	pages.PageSize = 3
	var names []string
	visit := func(each runtime.Object) error {
		names = append(names, each.(*object).GetName())
		return nil
	}
	if err := pages.EachListItem(ctx, metav1.ListOptions{LabelSelector: "suite=pages"}, visit); err != nil {
		return err
	}
	odd, err := client.List(ctx, metav1.ListOptions{LabelSelector: "suite in (pages),odd!=false"})
	if err != nil {
		return err
	}
	one, err := client.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=page-3"})
	if err != nil {
		return err
	}
	_, wrong := client.List(ctx, metav1.ListOptions{LabelSelector: "a in b"})
	partial, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	metas, err := partial.Resource(templates).Namespace(namespace).List(ctx, metav1.ListOptions{LabelSelector: "suite=pages"})
	if err != nil {
		return err
	}
	return errors.Join(
		must(len(names) == 7 && names[0] == "page-0" && names[6] == "page-6", "seven in order, not %v", names),
		must(len(odd.Items) == 3, "three of odd number, not %d", len(odd.Items)),
		must(len(one.Items) == 1, "one by its name, not %d", len(one.Items)),
		must(apierrors.IsBadRequest(wrong), "BadRequest, not %v", wrong),
		must(len(metas.Items) == 7 && metas.Items[0].Labels["suite"] == "pages", "metadata of seven"),
	)
}

// discoverKinds finds resources by kind, as every controller does when it starts.
func discoverKinds(_ context.Context, config *rest.Config) error {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	version, err := client.ServerVersion()
	if err != nil {
		return err
	}
	preferred, err := client.ServerPreferredResources()
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
	mapping, err := mapper.RESTMapping(clusterAPI.WithKind("MachineDeployment").GroupKind())
	if err != nil {
		return err
	}
	_, unknown := mapper.RESTMapping(clusterAPI.WithKind("Gadget").GroupKind())
	shortcut, err := restmapper.NewShortcutExpander(mapper, client, nil).KindFor(deployments.GroupResource().WithVersion(""))
	if err != nil {
		return err
	}
	paths, err := client.OpenAPIV3().Paths()
	if err != nil {
		return err
	}
	document, err := paths["apis/cluster.x-k8s.io/v1beta2"].Schema("application/com.github.proto-openapi.spec.v3@v1.0+protobuf")
	if err != nil {
		document, err = paths["apis/cluster.x-k8s.io/v1beta2"].Schema("application/json")
	}
	if err != nil {
		return err
	}
	old, err := client.OpenAPISchema()
	if err != nil {
		return err
	}
	return errors.Join(
		must(version.Major == "1", "a version, not %v", version),
		must(len(preferred) > 5, "groups, not %v", preferred),
		must(mapping.Resource == deployments, "machinedeployments of v1beta2, not %v", mapping.Resource),
		must(mapping.Scope.Name() == meta.RESTScopeNameNamespace, "a namespaced kind"),
		must(meta.IsNoMatchError(unknown), "no match, not %v", unknown),
		must(shortcut.Kind == "MachineDeployment", "the kind, not %v", shortcut),
		must(len(document) > 1000, "an OpenAPI document"),
		must(len(old.GetDefinitions().GetAdditionalProperties()) > 20, "definitions of OpenAPI v2"),
	)
}
