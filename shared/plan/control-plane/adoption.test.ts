import { describe, expect, it } from 'vitest';
import type { ControlPlane } from '../../kinds/contract-objects.ts';
import { kinds, type Machine } from '../../kinds/index.ts';
import type { OwnerReference } from '../../kube-api/object.ts';
import { planControlPlaneAdoption } from './adoption.ts';

const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io/v1beta2';

const controlPlane = {
  apiVersion: CONTROL_PLANE,
  kind: 'KubeadmControlPlane',
  metadata: { name: 'cp', namespace: 'default', uid: 'now' },
  spec: { replicas: 3, version: 'v1.34.1' },
} as ControlPlane;

const owner = (over: Partial<OwnerReference> = {}): OwnerReference => ({
  ...{ apiVersion: CONTROL_PLANE, kind: 'KubeadmControlPlane', name: 'cp', uid: 'now', controller: true },
  ...over,
});

interface Options {
  owners?: OwnerReference[];
  version?: string | undefined;
  labels?: Record<string, string>;
  config?: string;
  parts?: string;
  providerID?: string;
  born?: number;
}

const machine = (name: string, over: Options = {}): Machine => {
  const { owners = [], labels = { 'cluster.x-k8s.io/control-plane': '' }, config = 'KubeadmConfig', born = 0 } = over;
  const { parts = name, providerID } = over;
  const version = 'version' in over ? over.version : 'v1.34.1';
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      ...{ name, uid: name, labels, ownerReferences: owners },
      creationTimestamp: new Date(Date.UTC(2026, 0, 1, 0, born)).toISOString(),
    },
    spec: {
      clusterName: 'c',
      bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: config, name: parts } },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: parts },
      ...(version ? { version } : {}),
      ...(providerID ? { providerID } : {}),
    },
  } as Machine;
};

const plan = (machines: readonly Machine[], adopts: typeof kinds.kubeadmConfig | undefined = kinds.kubeadmConfig) => {
  const { adopt, refused } = planControlPlaneAdoption({ controlPlane, adopts, machines });
  return { adopt: adopt.map(({ metadata }) => metadata.name), ...(refused ? { refused } : {}) };
};

describe('the machines that a control plane adopts', () => {
  it('are control plane machines without a controller', () => {
    const cluster = owner({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'c', uid: 'c' });
    const { controller: _, ...uncontrolled } = cluster;

    expect(
      plan([
        machine('b', { owners: [uncontrolled] }),
        machine('a'),
        machine('own', { owners: [owner()] }),
        machine('worker', { labels: {} }),
      ]),
    ).toEqual({ adopt: ['a', 'b'] });
  });

  it('include machines that name its earlier uid, even if it adopts no others', () => {
    const former = machine('a', { owners: [owner({ uid: 'before' })] });

    expect(plan([former])).toEqual({ adopt: ['a'] });
    expect(planControlPlaneAdoption({ controlPlane, adopts: undefined, machines: [former] }).adopt).toEqual([former]);
  });

  it.each([
    ['v1.33.9', true],
    ['v1.35.0', true],
    [undefined, true],
    ['v1.32.0', false],
    ['v1.36.0', false],
    ['v2.34.0', false],
    ['latest', false],
  ])('may have the version %s: %s', (version, may) => {
    const refused = `Machine b was not adopted: its version ${version} is more than one minor version from v1.34.1, the version of the KubeadmControlPlane`;

    expect(plan([machine('a'), machine('b', { version })])).toEqual(
      may ? { adopt: ['a', 'b'] } : { adopt: [], refused },
    );
  });

  it('must all have a KubeadmConfig, or none is adopted', () => {
    const refused = 'Machine a was not adopted: its spec.bootstrap.configRef names no KubeadmConfig';

    expect(plan([machine('a', { config: 'RKE2Config' }), machine('b')])).toEqual({ adopt: [], refused });
    const { bootstrap: _, ...spec } = machine('a').spec;
    const provided = { ...machine('a'), spec: { ...spec, bootstrap: { dataSecretName: 'data' } } } as Machine;
    expect(plan([provided])).toEqual({ adopt: [], refused });
  });

  it('are none while another object controls a machine of the control plane', () => {
    const other = machine('a', { owners: [owner({ name: 'other', uid: 'other' })] });
    const refused = 'Machine a was not adopted: KubeadmControlPlane other controls it';

    expect(plan([other, machine('b')])).toEqual({ adopt: [], refused });
  });

  it('are none if the kind of the control plane does not adopt machines', () => {
    const facts = { controlPlane, adopts: undefined, machines: [machine('a')] };

    expect(planControlPlaneAdoption(facts)).toEqual({
      adopt: [],
      refused: 'Machine a was not adopted: it has no controller, and a KubeadmControlPlane adopts no Machines',
    });
  });

  it('exclude copies, which share a part with a machine that is older or has a controller', () => {
    const own = machine('own', { owners: [owner()], born: 5, providerID: 'aws:///a/i-1' });
    const orphan = machine('orphan', { born: 1 });

    expect(plan([own, machine('copy', { parts: 'own' })])).toEqual({ adopt: [] });
    expect(plan([own, machine('copy', { providerID: 'aws:///a/i-1' })])).toEqual({ adopt: [] });
    expect(plan([machine('copy', { parts: 'orphan', born: 2 }), orphan])).toEqual({ adopt: ['orphan'] });
    const foreign = owner({ name: 'other', uid: 'other' });
    expect(plan([own, machine('copy', { parts: 'own', owners: [foreign], born: 9 })])).toEqual({ adopt: [] });
  });
});
