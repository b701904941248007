import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterSnapshot } from '../../../functions/cluster/snapshot.ts';
import { syncNodes } from '../../../functions/cluster/workload/sync-nodes.ts';
import type { Machine, MachineDeployment, MachineSet } from '../../../shared/kinds/index.ts';
import { silentLog } from '../../../shared/log.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import type { WorkloadClient } from '../../../shared/workload/client.ts';
import { targetOf } from '../../../shared/workload/test-target.ts';
import { type RealWorkload, startRealWorkload } from './workload.ts';

/**
 * Tests how nodes are synced with their machines, against a real kube-apiserver, which enforces its rules for patches
 * and versions.
 */
const assets = process.env.KUBEBUILDER_ASSETS;

const PATH = '/api/v1/nodes/n-1';
const PROVIDER_ID = 'aws:///us-east-1a/i-0123';
const REVISION = 'machinedeployment.clusters.x-k8s.io/revision';
const MERGE_PATCH = 'application/merge-patch+json';
const NOT_READY = 'node.kubernetes.io/not-ready';

const owner = (kind: string, name: string) => [{ kind, name, uid: `u-${name}`, controller: true }];
const object = (name: string, revision: string, owners: object[] = []) => ({
  metadata: { name, uid: `u-${name}`, annotations: { [REVISION]: revision }, ownerReferences: owners },
});

/** A cluster with one machine, which belongs to revision 1 of its deployment. */
const snapshotOf = (
  machine: { labels?: object; annotations?: object; taints?: object[] },
  revision = '1',
): ClusterSnapshot => {
  const { taints, ...metadata } = machine;
  return {
    deployments: [object('d', revision) as unknown as MachineDeployment],
    sets: [object('s', '1', owner('MachineDeployment', 'd')) as unknown as MachineSet],
    machines: [
      {
        metadata: { name: 'm-1', namespace: 'default', ...metadata, ownerReferences: owner('MachineSet', 's') },
        spec: { clusterName: 'red', providerID: PROVIDER_ID, taints },
      } as unknown as Machine,
    ],
    infrastructureMachines: new Map(),
  } as unknown as ClusterSnapshot;
};

const taint = (key: string, propagation: string, value?: string) => ({ key, value, effect: 'NoSchedule', propagation });
const GIVEN = {
  labels: { 'node-role.kubernetes.io/gpu': '', 'node.cluster.x-k8s.io/pool': 'a' },
  annotations: { 'node.cluster.x-k8s.io/note': 'first' },
  taints: [taint('dedicated', 'Always', 'gpu'), taint('warming', 'OnInitialization')],
};

// The tests run in order.
describe.skipIf(!assets)('a node after it has joined', () => {
  let workload: RealWorkload;
  let client: WorkloadClient;
  const sync = async (snapshot: ClusterSnapshot) =>
    syncNodes({ log: silentLog }, client, snapshot, await client.nodes());
  const taints = async (): Promise<string[]> =>
    (await workload.get(PATH)).spec.taints.map(({ key }: { key: string }) => key).sort();

  beforeAll(async () => {
    workload = await startRealWorkload(String(assets));
    client = workload.connect(targetOf(workload.kubeconfig));
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n-1', labels: { theirs: 'yes' } },
      spec: {
        providerID: PROVIDER_ID,
        taints: [{ key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' }],
      },
    };
    expect((await workload.send('POST', '/api/v1/nodes', node)).code).toBe(201);
  }, LIMIT);
  afterAll(async () => {
    await client?.close();
    await workload?.stop();
  }, LIMIT);

  it('gets the metadata of its machine, and is written once', async () => {
    await sync(snapshotOf(GIVEN));
    const { metadata } = await workload.get(PATH);
    expect(metadata.labels).toMatchObject({ ...GIVEN.labels, theirs: 'yes' });
    expect(metadata.annotations).toMatchObject({
      ...GIVEN.annotations,
      'cluster.x-k8s.io/machine': 'm-1',
      'cluster.x-k8s.io/taints-from-machine': 'dedicated:NoSchedule',
    });
    expect(await taints()).toEqual(['dedicated', NOT_READY, 'warming']);

    await sync(snapshotOf(GIVEN));
    expect((await workload.get(PATH)).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it('loses metadata that its machine no longer has, and keeps the metadata of others', async () => {
    await workload.send('PATCH', PATH, { metadata: { labels: { 'node.cluster.x-k8s.io/mine': 'x' } } }, MERGE_PATCH);
    await sync(
      snapshotOf({ labels: { 'node.cluster.x-k8s.io/pool': 'b' }, taints: [taint('warming', 'OnInitialization')] }),
    );

    const { metadata } = await workload.get(PATH);
    expect(metadata.labels).toEqual({
      theirs: 'yes',
      'node.cluster.x-k8s.io/mine': 'x',
      'node.cluster.x-k8s.io/pool': 'b',
    });
    expect(metadata.annotations).not.toHaveProperty('node.cluster.x-k8s.io/note');
    expect(await taints()).toEqual([NOT_READY, 'warming']);
  });

  it('has a taint while its revision is outdated', async () => {
    await sync(snapshotOf({}, '2'));
    expect((await workload.get(PATH)).spec.taints).toContainEqual({
      key: 'node.cluster.x-k8s.io/outdated-revision',
      effect: 'PreferNoSchedule',
    });
    await sync(snapshotOf({}, '1'));
    expect(await taints()).not.toContain('node.cluster.x-k8s.io/outdated-revision');
  });

  it('keeps a taint that is added between the read and the write', async () => {
    const seen = await client.nodes();
    const { spec } = await workload.get(PATH);
    const theirs = { spec: { taints: [...spec.taints, { key: 'theirs', effect: 'NoSchedule' }] } };
    await workload.send('PATCH', PATH, theirs, MERGE_PATCH);

    await syncNodes({ log: silentLog }, client, snapshotOf({}, '2'), seen);
    expect(await taints()).toContain('theirs');
    await sync(snapshotOf({}, '2'));
    expect(await taints()).toEqual(expect.arrayContaining(['theirs', 'node.cluster.x-k8s.io/outdated-revision']));
  });
});
