import { describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { refersToAny } from '../../../shared/plan/references.ts';
import { affectedClusters, type FindReferrers, type Item } from './clusters.ts';

const item = (kind: keyof typeof kinds, name: string, spec: object = {}, labels: Record<string, string> = {}): Item => {
  const resource = kinds[kind] as ResourceDefinition;
  const apiVersion = `${resource.group}/${resource.version}`;
  return { resource, object: { apiVersion, kind: resource.kind, metadata: { name, labels }, spec } as KubeObject };
};
const labelled = (name: string) => ({ 'cluster.x-k8s.io/cluster-name': name });

const referrers: Item[] = [
  item('cluster', 'red', {
    controlPlaneRef: { kind: 'KubeadmControlPlane', name: 'red-cp' },
    infrastructureRef: { kind: 'AWSCluster', name: 'red-infra' },
  }),
  item('cluster', 'blue', { controlPlaneRef: { kind: 'KubeadmControlPlane', name: 'blue-cp' } }),
  item('kubeadmControlPlane', 'red-cp', {
    machineTemplate: { spec: { infrastructureRef: { kind: 'AWSMachineTemplate', name: 'shared' } } },
    kubeadmConfigSpec: { files: [{ path: '/x', contentFrom: { secret: { name: 'red-file', key: 'x' } } }] },
  }),
  item('kubeadmControlPlane', 'blue-cp', {
    machineTemplate: { spec: { infrastructureRef: { kind: 'AWSMachineTemplate', name: 'blue-template' } } },
  }),
  item('machineDeployment', 'blue-workers', {
    clusterName: 'blue',
    template: {
      spec: {
        clusterName: 'blue',
        bootstrap: { configRef: { kind: 'KubeadmConfigTemplate', name: 'join' } },
        infrastructureRef: { kind: 'AWSMachineTemplate', name: 'shared' },
      },
    },
  }),
  item('kubeadmConfigTemplate', 'join', {
    template: { spec: { files: [{ path: '/y', contentFrom: { secret: { name: 'join-file', key: 'y' } } }] } },
  }),
];

const findIn =
  (all: readonly Item[]): FindReferrers =>
  async (targets) =>
    all.filter(({ object }) => refersToAny(targets)(object));
const find = findIn(referrers);

const unasked: FindReferrers = () => {
  throw new Error('no other object is needed');
};

describe('the clusters that a write affects', () => {
  it.each([
    { why: 'a Cluster affects itself', written: item('cluster', 'red'), clusters: ['red'] },
    {
      why: 'the label takes precedence',
      written: item('secret', 'red-file', {}, labelled('green')),
      clusters: ['green'],
    },
    { why: 'spec.clusterName names it', written: referrers[4], clusters: ['blue'] },
    { why: 'a Cluster refers to it', written: item('awsCluster', 'red-infra'), clusters: ['red'] },
    { why: 'a Cluster refers to the control plane, which has no label', written: referrers[2], clusters: ['red'] },
    { why: 'two clusters use the template', written: item('awsMachineTemplate', 'shared'), clusters: ['blue', 'red'] },
    { why: 'a MachineDeployment refers to it', written: item('kubeadmConfigTemplate', 'join'), clusters: ['blue'] },
    { why: 'a control plane reads the secret', written: item('secret', 'red-file'), clusters: ['red'] },
    { why: 'a template reads the secret', written: item('secret', 'join-file'), clusters: ['blue'] },
    { why: 'nobody refers to it', written: item('awsMachineTemplate', 'unused'), clusters: [] },
    { why: 'a name alone is no reference', written: item('awsCluster', 'red-cp'), clusters: [] },
    {
      why: 'resources that are deleted from a binding are applied again',
      written: item('clusterResourceSetBinding', 'blue', { clusterName: 'blue' }),
      clusters: ['blue'],
    },
    { why: 'events change nothing', written: item('event', 'e', {}, labelled('red')), clusters: [] },
  ])('$clusters: $why', async ({ written, clusters }) => {
    expect((await affectedClusters(written as Item, find)).sort()).toEqual(clusters);
  });

  it.each([
    { written: item('secret', 's', {}, labelled('red')), clusters: ['red'] },
    { written: item('cluster', 'red'), clusters: ['red'] },
    { written: item('configMap', 'c'), clusters: [] },
    { written: item('awsClusterStaticIdentity', 'i'), clusters: [] },
  ])(
    'are found without a read of other objects if $written.object.kind itself identifies them',
    async ({ written, clusters }) => {
      expect(await affectedClusters(written, unasked)).toEqual(clusters);
    },
  );

  const template = (name: string, infrastructure: string) =>
    item('kubeadmControlPlane', name, {
      machineTemplate: { spec: { infrastructureRef: { kind: 'KubeadmControlPlane', name: infrastructure } } },
      kubeadmConfigSpec: { files: [{ path: '/x', contentFrom: { secret: { name: 'common', key: 'x' } } }] },
    });

  it.each([
    { what: 'refer to the same Secret', all: Array.from({ length: 500 }, (_, n) => template(`t-${n}`, 'none')) },
    { what: 'form a chain', all: Array.from({ length: 500 }, (_, n) => template(`t-${n}`, `t-${n - 1}`)) },
    { what: 'refer to each other', all: Array.from({ length: 2 }, (_, n) => template(`t-${n}`, `t-${1 - n}`)) },
  ])('are found with few reads if many objects $what', async ({ all }) => {
    let reads = 0;
    const counted: FindReferrers = (targets) => {
      reads += 1;
      return findIn([...all, ...referrers])(targets);
    };
    expect(await affectedClusters(item('secret', 'common'), counted)).toEqual([]);
    expect(await affectedClusters(item('kubeadmControlPlane', 't-0'), counted)).toEqual([]);
    expect(reads).toBeLessThanOrEqual(8);
  });
});
