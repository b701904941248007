import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAddonsWorld } from '../../../functions/cluster/addons/test-world.ts';
import type { NodeDependencies } from '../../../functions/machine/node/dependencies.ts';
import { initializeNode } from '../../../functions/machine/node/initialize.ts';
import type { AWSMachine, Cluster, Machine } from '../../../shared/kinds/index.ts';
import { aws } from '../../../shared/providers/aws/infrastructure.ts';
import { provided } from '../../../shared/providers/registry.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import type { WorkloadClient } from '../../../shared/workload/client.ts';
import { targetOf } from '../../../shared/workload/test-target.ts';
import { type RealWorkload, startRealWorkload } from './workload.ts';

/**
 * Tests how nodes are initialized against a real kube-apiserver, which enforces its rules for patches, versions and
 * status.
 */
const assets = process.env.KUBEBUILDER_ASSETS;

const DNS = 'ip-10-0-0-7.ec2.internal';
const NODES = '/api/v1/nodes';
const PROVIDER_ID = 'aws:///us-east-1a/i-0123';
const metadata = { name: 'm-1', namespace: 'default', uid: 'u' };
const cluster = { metadata: { name: 'red', namespace: 'default' }, spec: {} } as Cluster;
const infrastructure = {
  metadata,
  spec: { instanceType: 't3.large', instanceID: 'i-0123', providerID: PROVIDER_ID },
  status: {
    addresses: [
      { type: 'InternalDNS', address: DNS },
      { type: 'InternalIP', address: '10.0.0.7' },
    ],
  },
} as AWSMachine;
const snapshot = {
  machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata, spec: {} } as Machine,
  ...{ infrastructureMachine: provided(aws, infrastructure), infrastructureCluster: null },
  ...{ cluster, config: null, distribution: undefined },
};

/** A node as a kubelet with `cloud-provider: external` registers it. */
const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: DNS, labels: { 'kubernetes.io/hostname': DNS } },
  spec: {
    taints: [
      { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' },
      { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
    ],
  },
};

describe.skipIf(!assets)('a node that waits to be initialized', () => {
  let workload: RealWorkload;
  let client: WorkloadClient;
  let deps: NodeDependencies;
  beforeAll(async () => {
    workload = await startRealWorkload(String(assets));
    client = workload.connect(targetOf(workload.kubeconfig));
    const { objects, clock } = await makeAddonsWorld();
    deps = { objects, clock } as unknown as NodeDependencies;
    expect((await workload.send('POST', NODES, node)).code).toBe(201);
    const status = { status: { addresses: [{ type: 'Hostname', address: DNS }], capacity: { cpu: '2' } } };
    await workload.send('PATCH', `${NODES}/${DNS}/status`, status, 'application/merge-patch+json');
  }, LIMIT);
  afterAll(async () => {
    await client?.close();
    await workload?.stop();
  }, LIMIT);

  it('gets provider id, labels and addresses, keeps other taints and the rest of its status', async () => {
    expect(await initializeNode(deps, client, snapshot, await client.nodes(), async () => [])).toBe(true);
    const found = await workload.get(`${NODES}/${DNS}`);
    expect(found.spec).toMatchObject({
      providerID: PROVIDER_ID,
      taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
    });
    expect(found.metadata.labels).toMatchObject({
      'kubernetes.io/hostname': DNS,
      'topology.kubernetes.io/zone': 'us-east-1a',
      'topology.kubernetes.io/region': 'us-east-1',
      'node.kubernetes.io/instance-type': 't3.large',
    });
    expect(found.status).toMatchObject({
      capacity: { cpu: '2' },
      addresses: [
        { type: 'InternalIP', address: '10.0.0.7' },
        { type: 'InternalDNS', address: DNS },
        { type: 'Hostname', address: DNS },
      ],
    });
    expect(await initializeNode(deps, client, snapshot, await client.nodes(), async () => [])).toBe(false);
  });

  it('is not changed by a write that is based on an old version', async () => {
    const [before] = await client.nodes();
    await workload.send(
      'PATCH',
      `${NODES}/${DNS}`,
      { metadata: { labels: { a: 'b' } } },
      'application/merge-patch+json',
    );
    const stale = { resourceVersion: before?.metadata?.resourceVersion, taints: [] };
    await expect(client.patchNode(DNS, stale)).rejects.toMatchObject({ name: 'Conflict' });
  });

  it('can be deleted twice without an error', async () => {
    await client.deleteNode(DNS);
    await client.deleteNode(DNS);
    expect(await client.nodes()).toEqual([]);
  });
});
