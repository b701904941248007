package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const done = "suite.example/done"

// marker creates a ConfigMap for each template that requests one, and marks the template.
type marker struct{ client.Client }

func (m *marker) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	template := emptyTemplate()
	if err := m.Get(ctx, request.NamespacedName, template); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if template.GetLabels()["suite"] != "controller" {
		return reconcile.Result{}, nil
	}
	config := &corev1.ConfigMap{}
	config.Name, config.Namespace = template.GetName(), template.GetNamespace()
	if _, err := controllerutil.CreateOrUpdate(ctx, m.Client, config, func() error {
		config.Data = map[string]string{"of": template.GetName()}
		return controllerutil.SetControllerReference(template, config, m.Scheme())
	}); err != nil {
		return reconcile.Result{}, err
	}
	if template.GetAnnotations()[done] != "" {
		return reconcile.Result{}, nil
	}
	before := template.DeepCopy()
	template.SetAnnotations(map[string]string{done: "yes"})
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	return reconcile.Result{}, m.Patch(ctx, template, patch)
}

func emptyTemplate() *object {
	template := &object{}
	template.SetGroupVersionKind(infrastructure.WithKind("AWSMachineTemplate"))
	return template
}

// useControllerRuntime runs a whole controller, and deletes what it created so that it must create it again.
func useControllerRuntime(ctx context.Context, config *rest.Config) error {
	manager, err := ctrl.NewManager(config, ctrl.Options{Metrics: server.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	if err := ctrl.NewControllerManagedBy(manager).For(emptyTemplate()).Owns(&corev1.ConfigMap{}).Complete(&marker{manager.GetClient()}); err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(running) }()
	direct, err := client.New(config, client.Options{})
	if err != nil {
		stop()
		return err
	}
	err = beServed(ctx, direct)
	stop()
	return errors.Join(err, <-ended)
}

func beServed(ctx context.Context, direct client.Client) error {
	for index := range 3 {
		template := newTemplate(fmt.Sprintf("controlled-%d", index), map[string]any{"suite": "controller"})
		if err := direct.Create(ctx, template); err != nil {
			return err
		}
	}
	first := client.ObjectKey{Namespace: namespace, Name: "controlled-0"}
	if err := eventually(ctx, func() bool {
		template, config := emptyTemplate(), &corev1.ConfigMap{}
		return direct.Get(ctx, first, template) == nil && template.GetAnnotations()[done] == "yes" && direct.Get(ctx, first, config) == nil
	}); err != nil {
		return fmt.Errorf("the controller did nothing: %w", err)
	}
	config := &corev1.ConfigMap{}
	if err := direct.Get(ctx, first, config); err != nil {
		return err
	}
	old := config.UID
	if err := direct.Delete(ctx, config, client.Preconditions{UID: &old}); err != nil {
		return err
	}
	if err := eventually(ctx, func() bool {
		again := &corev1.ConfigMap{}
		return direct.Get(ctx, first, again) == nil && again.UID != old
	}); err != nil {
		return fmt.Errorf("the controller did not repair: %w", err)
	}
	if err := direct.DeleteAllOf(ctx, emptyTemplate(), client.InNamespace(namespace), client.MatchingLabels{"suite": "controller"}); err != nil {
		return err
	}
	return eventually(ctx, func() bool { return apierrors.IsNotFound(direct.Get(ctx, first, &corev1.ConfigMap{})) })
}

func eventually(ctx context.Context, holds func() bool) error {
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, patience, true, func(context.Context) (bool, error) {
		return holds(), nil
	})
}
