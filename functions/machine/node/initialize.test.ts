import type { V1Node } from '@kubernetes/client-node';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachine, type Cluster, KINDS, kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { aws } from '../../../shared/providers/aws/infrastructure.ts';
import { type ProvidedMachine, provided } from '../../../shared/providers/registry.ts';
import { systemRandom } from '../../../shared/random.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import type { WorkloadClient } from '../../../shared/workload/client.ts';
import type { NodeDependencies } from './dependencies.ts';
import { initializeNode } from './initialize.ts';

const DNS = 'ip-10-0-0-7.ec2.internal';
const metadata = { name: 'm-1', namespace: 'default', uid: 'u' };
const clusterOf = (value?: string): Cluster =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: {
      name: 'red',
      namespace: 'default',
      labels: { ccm: 'yes' },
      annotations: value ? { 'windlass.dev/node-initialization': value } : {},
    },
    spec: {},
  }) as Cluster;

const world = () => {
  const clock = testClock();
  const objects = createObjectClient(
    createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom }),
  );
  const state = {
    node: {
      metadata: { name: DNS, resourceVersion: '1', annotations: {} as Record<string, string> },
      spec: { taints: [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' }] },
    } as V1Node,
    cloudController: undefined as string | undefined,
    calls: [] as unknown[],
  };
  const client = {
    cloudController: async () => state.cloudController,
    setNodeAddresses: async (name, addresses) => {
      state.calls.push([name, addresses]);
      return { ...state.node, metadata: { ...state.node.metadata, resourceVersion: '2' } };
    },
    patchNode: async (name, patch) => void state.calls.push([name, patch]),
  } as Partial<WorkloadClient> as WorkloadClient;
  const snapshot = (cluster = clusterOf(), own: AWSMachine['status'] = {}) => ({
    machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata, spec: {} } as Machine,
    infrastructureMachine: provided(aws, {
      kind: 'AWSMachine',
      metadata: { ...metadata, creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { instanceType: 't3.large', instanceID: 'i-7', providerID: 'aws:///us-east-1a/i-7' },
      status: {
        ...own,
        addresses: [
          { type: 'InternalDNS', address: DNS },
          { type: 'InternalIP', address: '10.0.0.7' },
        ],
      },
    } as AWSMachine),
    cluster,
    infrastructureCluster: null,
    config: null,
    distribution: undefined,
  });
  const deps = { objects, clock } as unknown as NodeDependencies;
  const announce = async (image: string) => {
    const workload = { kind: 'DaemonSet', apiVersion: 'apps/v1', metadata: { name: 'x' } };
    const pod = { template: { spec: { containers: [{ name: 'x', image }] } } };
    await objects.ensure(kinds.configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'ccm', namespace: 'default' },
      data: { a: JSON.stringify({ ...workload, spec: pod }) },
    } as KubeObject);
    await objects.ensure(kinds.clusterResourceSet, {
      apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
      kind: 'ClusterResourceSet',
      metadata: { name: 'ccm', namespace: 'default' },
      spec: { clusterSelector: { matchLabels: { ccm: 'yes' } }, resources: [{ kind: 'ConfigMap', name: 'ccm' }] },
    });
  };
  return {
    objects,
    state,
    announce,
    others: [] as ProvidedMachine[],
    own: {} as AWSMachine['status'],
    run(cluster?: Cluster) {
      return initializeNode(deps, client, snapshot(cluster, this.own), [state.node], async () => this.others);
    },
  };
};

describe('a node that joined with an external cloud provider', () => {
  let w: ReturnType<typeof world>;
  beforeEach(() => {
    w = world();
  });

  it('gets its addresses, then its provider id and labels, and loses the taint', async () => {
    expect(await w.run()).toBe(true);
    expect(w.state.calls).toEqual([
      [DNS, expect.arrayContaining([{ type: 'InternalIP', address: '10.0.0.7' }])],
      [
        DNS,
        {
          resourceVersion: '2',
          providerID: 'aws:///us-east-1a/i-7',
          labels: expect.objectContaining({
            'topology.kubernetes.io/region': 'us-east-1',
            'node.kubernetes.io/instance-type': 't3.large',
          }),
          taints: [],
        },
      ],
    ]);
  });

  it('is left to an existing cloud controller manager', async () => {
    w.state.cloudController = 'DaemonSet kube-system/aws-cloud-controller-manager';
    expect(await w.run()).toBe(false);
    expect(w.state.calls).toEqual([]);
  });

  it('is left to a cloud controller manager in a ClusterResourceSet, but not because of other objects in sets', async () => {
    await w.announce('registry.k8s.io/provider-aws/cloud-controller-manager:v1.34.0');
    expect(await w.run()).toBe(false);
    const other = world();
    await other.announce('ghcr.io/flannel-io/flannel:v0.27.4');
    expect(await other.run()).toBe(true);
  });

  it('is handled as the annotation of the cluster says, in all cases', async () => {
    expect(await w.run(clusterOf('Disabled'))).toBe(false);
    w.state.cloudController = 'DaemonSet kube-system/ccm';
    expect(await w.run(clusterOf('Enabled'))).toBe(true);
  });

  /** Another machine of the cluster whose instance has the address of the node. */
  const other = ({ created = '2026-01-01T00:00:00Z', dns = DNS, state = 'running', id = 'i-8' }): ProvidedMachine =>
    provided(aws, {
      kind: 'AWSMachine',
      metadata: { name: 'm-2', namespace: 'default', uid: 'v', creationTimestamp: created },
      spec: { instanceType: 't3.large', instanceID: id, providerID: `aws:///us-east-1a/${id}` },
      status: {
        instanceState: state,
        addresses: [
          { type: 'InternalDNS', address: dns },
          { type: 'InternalIP', address: '10.0.0.7' },
        ],
      },
    } as AWSMachine);

  it.each<[boolean, string, Parameters<typeof other>[0]]>([
    [false, 'was launched later', { created: '2026-01-01T00:00:01Z' }],
    [true, 'was launched earlier', { created: '2025-12-31T23:59:59Z' }],
    [true, 'has ended', { created: '2026-01-01T00:00:01Z', state: 'terminated' }],
    [true, 'has its address in another network', { created: '2026-01-01T00:00:01Z', dns: 'ip-10-0-0-7.corp' }],
    [true, 'has another address', { created: '2026-01-01T00:00:01Z', dns: 'ip-10-0-0-8.ec2.internal' }],
    [true, 'is that of the machine, of which there is a copy', { created: '2026-01-01T00:00:01Z', id: 'i-7' }],
  ])('is initialized: %s, if another instance %s', async (expected, _, instance) => {
    w.others = [other(instance)];
    expect(await w.run()).toBe(expected);
    expect(w.state.calls.length > 0).toBe(expected);
  });

  it('is left to the instance that has exactly its name, even if that was launched earlier', async () => {
    w.state.node.metadata = { ...w.state.node.metadata, name: 'ip-10-0-0-7.corp' };
    expect(await w.run()).toBe(true);
    w.state.calls = [];
    w.others = [other({ created: '2025-12-31T23:59:59Z', dns: 'ip-10-0-0-7.corp' })];
    expect(await w.run()).toBe(false);
    expect(w.state.calls).toEqual([]);
  });

  it('is not initialized as the node of an instance that has ended', async () => {
    w.own = { instanceState: 'terminated' };
    expect(await w.run()).toBe(false);
  });

  it("is not changed but reported if its address is not one of the instance's", async () => {
    w.state.node.metadata = {
      ...w.state.node.metadata,
      annotations: { 'alpha.kubernetes.io/provided-node-ip': '10.9.9.9' },
    };
    expect(await w.run()).toBe(false);
    expect(w.state.calls).toEqual([]);
    expect((await w.objects.list(kinds.event)).map(({ reason }) => reason)).toEqual(['NodeNotInitialized']);
  });
});
