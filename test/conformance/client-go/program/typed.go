package main

import (
	"context"
	"errors"
	"time"

	authorization "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcore "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
)

// typedClient uses protobuf, as controllers do for built-in kinds.
func typedClient(config *rest.Config) (*kubernetes.Clientset, error) {
	typed := rest.CopyConfig(config)
	typed.ContentType = "application/vnd.kubernetes.protobuf"
	typed.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	return kubernetes.NewForConfig(typed)
}

func useTypedClient(ctx context.Context, config *rest.Config) error {
	client, err := typedClient(config)
	if err != nil {
		return err
	}
	secrets := client.CoreV1().Secrets(namespace)
	secret, err := secrets.Create(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "typed", Labels: map[string]string{"suite": "typed"}},
		StringData: map[string]string{"key": "value"},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	secret.Data["more"] = []byte{0, 1, 2, 255}
	updated, err := secrets.Update(ctx, secret, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	patched, err := secrets.Patch(ctx, "typed", types.StrategicMergePatchType, []byte(`{"data":{"key":null}}`), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	maps := client.CoreV1().ConfigMaps(namespace)
	applied, err := maps.Apply(ctx, applycore.ConfigMap("typed", namespace).WithData(map[string]string{"a": "b"}), metav1.ApplyOptions{FieldManager: "suite"})
	if err != nil {
		return err
	}
	if _, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "typed"}}, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := client.CoreV1().Namespaces().Delete(ctx, "typed", metav1.DeleteOptions{}); err != nil {
		return err
	}
	review, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, &authorization.SelfSubjectAccessReview{
		Spec: authorization.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorization.ResourceAttributes{
			Namespace: namespace, Verb: "delete", Group: clusterAPI.Group, Resource: "machines",
		}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	deletion := metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("another")}
	wrong := secrets.Delete(ctx, "typed", deletion)
	return errors.Join(
		must(string(secret.Data["key"]) == "value", "stringData as data, not %v", secret.Data),
		must(string(updated.Data["more"]) == string([]byte{0, 1, 2, 255}), "bytes as they were, not %v", updated.Data),
		must(len(patched.Data) == 1, "one key less, not %v", patched.Data),
		must(applied.Data["a"] == "b", "what was applied, not %v", applied.Data),
		must(review.Status.Allowed, "an admin to be allowed, not %v", review.Status),
		must(apierrors.IsConflict(wrong), "a Conflict for another uid, not %v", wrong),
		secrets.Delete(ctx, "typed", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(secret.UID))}),
	)
}

// recordEvents records the same event twice, which must result in one event with a count.
func recordEvents(ctx context.Context, config *rest.Config) error {
	client, err := typedClient(config)
	if err != nil {
		return err
	}
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcore.EventSinkImpl{Interface: client.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "suite"})
	about := &corev1.ObjectReference{APIVersion: clusterAPI.String(), Kind: "Machine", Namespace: namespace, Name: "told", UID: "1"}
	for range 2 {
		recorder.Event(about, corev1.EventTypeWarning, "Slow", "it takes long")
		time.Sleep(200 * time.Millisecond)
	}
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		events, err := client.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{FieldSelector: "involvedObject.name=told"})
		return err == nil && len(events.Items) == 1 && events.Items[0].Count == 2 && events.Items[0].Source.Component == "suite", err
	})
}

// deleteObjects deletes objects with finalizers, with dependents, and by selector.
func deleteObjects(ctx context.Context, config *rest.Config) error {
	client, err := resourceOf(config, templates)
	if err != nil {
		return err
	}
	held := newTemplate("held", nil)
	held.SetFinalizers([]string{"suite.example/hold"})
	owner, err := client.Create(ctx, held, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	owned := newTemplate("owned", nil)
	yes := true
	owned.SetOwnerReferences([]metav1.OwnerReference{{
		APIVersion: owner.GetAPIVersion(), Kind: owner.GetKind(), Name: owner.GetName(), UID: owner.GetUID(), BlockOwnerDeletion: &yes,
	}})
	if _, err := client.Create(ctx, owned, metav1.CreateOptions{}); err != nil {
		return err
	}
	policy := metav1.DeletePropagationForeground
	if err := client.Delete(ctx, "held", metav1.DeleteOptions{PropagationPolicy: &policy}); err != nil {
		return err
	}
	marked, err := client.Get(ctx, "held", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if _, err := client.Patch(ctx, "held", types.JSONPatchType, []byte(`[{"op":"remove","path":"/metadata/finalizers/0"}]`), metav1.PatchOptions{}); err != nil {
		return err
	}
	for _, name := range []string{"match-1", "match-2"} {
		if _, err := client.Create(ctx, newTemplate(name, map[string]any{"suite": "match"}), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	if err := client.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "suite=match"}); err != nil {
		return err
	}
	left, err := client.List(ctx, metav1.ListOptions{LabelSelector: "suite=match"})
	if err != nil {
		return err
	}
	return errors.Join(
		must(marked.GetDeletionTimestamp() != nil, "a deletion time"),
		must(len(left.Items) == 0, "nothing that matches, not %d", len(left.Items)),
		absent(ctx, config, "held"),
		absent(ctx, config, "owned"),
	)
}

func absent(ctx context.Context, config *rest.Config, name string) error {
	client, err := resourceOf(config, templates)
	if err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		_, err := client.Get(ctx, name, metav1.GetOptions{})
		return apierrors.IsNotFound(err), nil
	})
}
