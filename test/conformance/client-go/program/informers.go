package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	toolswatch "k8s.io/client-go/tools/watch"
)

// follow starts an informer of the templates with a label and returns its store once it has synced.
func follow(ctx context.Context, config *rest.Config, selector string, handler cache.ResourceEventHandler) (cache.SharedIndexInformer, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	tweak := func(options *metav1.ListOptions) { options.LabelSelector = selector }
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, namespace, tweak)
	informer := factory.ForResource(templates).Informer()
	if _, err := informer.AddEventHandler(handler); err != nil {
		return nil, err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return nil, errors.New("the informer never synced")
	}
	return informer, nil
}

// agree waits until the store contains the same objects and versions as a list.
func agree(ctx context.Context, config *rest.Config, selector string, store cache.Store) error {
	client, err := resourceOf(config, templates)
	if err != nil {
		return err
	}
	var difference error
	same := func(ctx context.Context) (bool, error) {
		list, err := client.List(ctx, metav1.ListOptions{LabelSelector: selector})
		if err != nil {
			return false, err
		}
		difference = must(len(store.ListKeys()) == len(list.Items), "%d objects, not %d", len(list.Items), len(store.ListKeys()))
		for _, item := range list.Items {
			known, found, _ := store.GetByKey(item.GetNamespace() + "/" + item.GetName())
			if !found || known.(*object).GetResourceVersion() != item.GetResourceVersion() {
				difference = errors.Join(difference, fmt.Errorf("%s is not up to date", item.GetName()))
			}
		}
		return difference == nil, nil
	}
	err = wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, patience, true, same)
	return errors.Join(err, difference)
}

// followByInformer changes objects for longer than a watch lasts, so that the informer must start another one.
func followByInformer(ctx context.Context, config *rest.Config) error {
	client, err := resourceOf(config, templates)
	if err != nil {
		return err
	}
	labels := map[string]any{"suite": "informer"}
	for index := range 3 {
		if _, err := client.Create(ctx, newTemplate(fmt.Sprintf("followed-%d", index), labels), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	var lock sync.Mutex
	seen := map[string]int{}
	count := func(what string) {
		lock.Lock()
		defer lock.Unlock()
		seen[what]++
	}
	informer, err := follow(ctx, config, "suite=informer", cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { count("added") },
		UpdateFunc: func(any, any) { count("updated") },
		DeleteFunc: func(any) { count("deleted") },
	})
	if err != nil {
		return err
	}
	for turn := range 12 {
		if err := setTurn(ctx, client, "followed-0", turn); err != nil {
			return err
		}
		name := fmt.Sprintf("fleeting-%d", turn)
		if _, err := client.Create(ctx, newTemplate(name, labels), metav1.CreateOptions{}); err != nil {
			return err
		}
		time.Sleep(500 * time.Millisecond)
		if err := client.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	if err := agree(ctx, config, "suite=informer", informer.GetStore()); err != nil {
		return err
	}
	lock.Lock()
	defer lock.Unlock()
	return must(seen["added"] == 15 && seen["updated"] == 12 && seen["deleted"] == 12, "each change once, not %v", seen)
}

func setTurn(ctx context.Context, client dynamic.ResourceInterface, name string, turn int) error {
	current, err := client.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	_, err = client.Update(ctx, setLabel(current, "turn", fmt.Sprint(turn)), metav1.UpdateOptions{})
	return err
}

// gate blocks watches while it is shut, like a network outage.
type gate struct {
	next  http.RoundTripper
	lock  sync.RWMutex
	tries chan struct{}
}

func (g *gate) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Query().Get("watch") != "" {
		select {
		case g.tries <- struct{}{}:
		default:
		}
		g.lock.RLock()
		defer g.lock.RUnlock()
	}
	return g.next.RoundTrip(request)
}

// listAgainAfterGone is disconnected for longer than the server keeps changes.
func listAgainAfterGone(ctx context.Context, config *rest.Config) error {
	client, err := resourceOf(config, templates)
	if err != nil {
		return err
	}
	if _, err := client.Create(ctx, newTemplate("gone", map[string]any{"suite": "gone"}), metav1.CreateOptions{}); err != nil {
		return err
	}
	held := &gate{tries: make(chan struct{}, 1)}
	behind := rest.CopyConfig(config)
	behind.Wrap(func(next http.RoundTripper) http.RoundTripper {
		held.next = next
		return held
	})
	informer, err := follow(ctx, behind, "suite=gone", cache.ResourceEventHandlerFuncs{})
	if err != nil {
		return err
	}
	held.lock.Lock()
	<-drained(held.tries)
	for turn := range 60 {
		if err := setTurn(ctx, client, "gone", turn); err != nil {
			held.lock.Unlock()
			return err
		}
	}
	held.lock.Unlock()
	return agree(ctx, config, "suite=gone", informer.GetStore())
}

// drained discards earlier attempts.
func drained(tries chan struct{}) chan struct{} {
	select {
	case <-tries:
	default:
	}
	return tries
}

// retryWatch follows one object through several watches without another list.
func retryWatch(ctx context.Context, config *rest.Config) error {
	client, err := resourceOf(config, templates)
	if err != nil {
		return err
	}
	created, err := client.Create(ctx, newTemplate("again", nil), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	source := &cache.ListWatch{WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
		options.FieldSelector = "metadata.name=again"
		return client.Watch(ctx, options)
	}, ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return client.List(ctx, options)
	}}
	watcher, err := toolswatch.NewRetryWatcherWithContext(ctx, created.GetResourceVersion(), source)
	if err != nil {
		return err
	}
	defer watcher.Stop()
	const turns = 12
	failed := make(chan error, 1)
	go func() {
		for turn := range turns {
			if err := setTurn(ctx, client, "again", turn); err != nil {
				failed <- err
				return
			}
			time.Sleep(500 * time.Millisecond)
		}
	}()
	for turn := range turns {
		select {
		case err := <-failed:
			return err
		case event, open := <-watcher.ResultChan():
			if !open {
				return errors.New("the watch ended for good")
			}
			if event.Type != watch.Modified || event.Object.(*object).GetLabels()["turn"] != fmt.Sprint(turn) {
				return fmt.Errorf("expected turn %d, not %s %v", turn, event.Type, event.Object)
			}
		}
	}
	return nil
}
