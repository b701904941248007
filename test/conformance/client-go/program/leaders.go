package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const (
	leaseName     = "suite-leader"
	leaseDuration = 12 * time.Second
)

// elect starts two managers with leader election, holds the lease while the test restarts the server, and hands it over.
// It prints a line at each stage; the test restarts the server after the first, and creates a ConfigMap once it is up.
func elect(ctx context.Context, config *rest.Config) error {
	direct, err := client.New(config, client.Options{})
	if err != nil {
		return err
	}
	first, err := newCandidate(config)
	if err != nil {
		return err
	}
	first.start(ctx)
	if err := eventually(ctx, first.leads.Load); err != nil {
		return fmt.Errorf("the first manager never led: %w", err)
	}
	second, err := newCandidate(config)
	if err != nil {
		return err
	}
	second.start(ctx)
	lease, err := readLease(ctx, direct)
	if err != nil {
		return err
	}
	fmt.Println("leading")
	if err := holdThroughRestart(ctx, direct, lease); err != nil {
		return err
	}
	if !first.leads.Load() || second.leads.Load() {
		return errors.New("the lease changed hands although its holder was alive")
	}
	if err := first.stop(); err != nil {
		return err
	}
	if err := eventually(ctx, second.leads.Load); err != nil {
		return fmt.Errorf("the second manager did not take over: %w", err)
	}
	return errors.Join(findElections(ctx, direct), second.stop())
}

// holdThroughRestart waits until the server has been restarted, and then for two renewals by the same holder.
func holdThroughRestart(ctx context.Context, direct client.Client, before *coordinationv1.Lease) error {
	restarted := client.ObjectKey{Namespace: namespace, Name: "restarted"}
	if err := eventually(ctx, func() bool { return direct.Get(ctx, restarted, &corev1.ConfigMap{}) == nil }); err != nil {
		return fmt.Errorf("the server was not restarted: %w", err)
	}
	for range 2 {
		now, err := readLease(ctx, direct)
		if err != nil {
			return err
		}
		if err := eventually(ctx, func() bool {
			lease, err := readLease(ctx, direct)
			return err == nil && lease.Spec.RenewTime.After(now.Spec.RenewTime.Time)
		}); err != nil {
			return fmt.Errorf("the lease was not renewed: %w", err)
		}
	}
	after, err := readLease(ctx, direct)
	if err != nil {
		return err
	}
	if *after.Spec.HolderIdentity != *before.Spec.HolderIdentity || *after.Spec.LeaseTransitions != *before.Spec.LeaseTransitions {
		return fmt.Errorf("the lease changed hands: %v, then %v", before.Spec, after.Spec)
	}
	return nil
}

func readLease(ctx context.Context, direct client.Client) (*coordinationv1.Lease, error) {
	lease := &coordinationv1.Lease{}
	return lease, direct.Get(ctx, client.ObjectKey{Namespace: namespace, Name: leaseName}, lease)
}

// findElections reads from events.k8s.io the events of the election, whichever group it used to record them.
func findElections(ctx context.Context, direct client.Client) error {
	return eventually(ctx, func() bool {
		events := &eventsv1.EventList{}
		if err := direct.List(ctx, events, client.InNamespace(namespace)); err != nil {
			return false
		}
		for _, event := range events.Items {
			if event.Reason == "LeaderElection" && event.Regarding.Name == leaseName {
				return true
			}
		}
		return false
	})
}

// candidate is a manager that signals when it leads.
type candidate struct {
	manager manager.Manager
	leads   atomic.Bool
	cancel  context.CancelFunc
	ended   chan error
}

func newCandidate(config *rest.Config) (*candidate, error) {
	duration, deadline, retry := leaseDuration, leaseDuration*3/4, time.Second
	created, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:                       server.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              leaseName,
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &duration,
		RenewDeadline:                 &deadline,
		RetryPeriod:                   &retry,
	})
	if err != nil {
		return nil, err
	}
	one := &candidate{manager: created, ended: make(chan error, 1)}
	err = created.Add(manager.RunnableFunc(func(ctx context.Context) error {
		one.leads.Store(true)
		<-ctx.Done()
		return nil
	}))
	return one, err
}

func (c *candidate) start(ctx context.Context) {
	running, cancel := context.WithCancel(ctx)
	c.cancel = cancel
	go func() { c.ended <- c.manager.Start(running) }()
}

func (c *candidate) stop() error {
	c.cancel()
	return <-c.ended
}
