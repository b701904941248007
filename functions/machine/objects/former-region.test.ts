/** Machines in deletion whose Cluster does not refer to the infrastructure in which their instances are. */
import { describe, expect, it } from 'vitest';
import { type AWSCluster, type Cluster, kinds } from '../../../shared/kinds/index.ts';
import { ownerReference } from '../../../shared/plan/machines/desired.ts';
import { FINALIZER, type FormerWorld, isTerminated, key, metadata, ref, useFormerWorlds } from './test-former.ts';

const makeWorld = useFormerWorlds();

/** Makes the Cluster, which refers to `infrastructureRef`, and AWSClusters, by name. */
const addClusters = async (
  { objects }: FormerWorld,
  infrastructureRef: object,
  awsClusters: Readonly<Record<string, { region: string; isOwn: boolean; annotations?: Record<string, string> }>>,
): Promise<string> => {
  const { object: cluster } = await objects.ensure(kinds.cluster, {
    ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: metadata('red') },
    spec: { infrastructureRef },
  } as Cluster);
  await objects.ensure(kinds.hostCluster, {
    ...{ apiVersion: `${kinds.hostCluster.group}/${kinds.hostCluster.version}`, kind: 'HostCluster' },
    ...{ metadata: metadata('hosts'), spec: {} },
  } as never);
  for (const [name, { region, isOwn, annotations }] of Object.entries(awsClusters)) {
    await objects.ensure(kinds.awsCluster, {
      ...{ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSCluster' },
      metadata: { ...metadata(name), ...(isOwn ? { ownerReferences: [ownerReference(cluster)] } : {}) },
      spec: { region },
    } as AWSCluster);
    if (annotations)
      await objects.mutate(kinds.awsCluster, key(name), (now) => ({
        ...now,
        metadata: { ...now.metadata, annotations },
      }));
  }
  return cluster.metadata.uid ?? '';
};

describe.each([
  ['does not exist', ref('AWSCluster', 'gone')],
  ['belongs to another provider', ref('HostCluster', 'hosts', kinds.hostCluster.group)],
])('the instance of a machine whose Cluster refers to infrastructure that %s', (_, infrastructureRef) => {
  it.each([
    ['is terminated in the region of an AWSCluster that the Cluster owns', true],
    ['is not looked for in the region of an AWSCluster that the Cluster does not own', false],
  ])('%s', async (__, isOwn) => {
    const w = await makeWorld(ref('AWSMachine'), { m: [FINALIZER] });
    const clusterUid = await addClusters(w, infrastructureRef, { former: { region: 'eu-west-1', isOwn } });
    w.live.set('i-m', { region: 'eu-west-1' });
    await w.run({ ...w.machine, clusterUid });

    expect(isTerminated(w, 'm')).toBe(isOwn);
    expect(await w.left()).toEqual([]);
  });

  it('is terminated in the region of the AWSCluster that has records, if the Cluster owns several', async () => {
    const w = await makeWorld(ref('AWSMachine'), { m: [FINALIZER] });
    const clusterUid = await addClusters(w, infrastructureRef, {
      a: { region: 'eu-west-1', isOwn: true },
      b: { region: 'eu-west-2', isOwn: true, annotations: { 'windlass.dev/begun': 'true' } },
    });
    w.live.set('i-m', { region: 'eu-west-2' });
    await w.run({ ...w.machine, clusterUid });

    expect(isTerminated(w, 'm')).toBe(true);
  });
});
