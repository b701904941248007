/** What a user sees of a new object before the first pass over its cluster. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Condition } from '../../shared/kube-api/object.ts';
import { createTestApi } from './test-api.ts';

const CORE = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default';
const CONTROL_PLANES = '/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/default/kubeadmcontrolplanes';
const ref = (group: string, kind: string) => ({ apiGroup: `${group}.cluster.x-k8s.io`, kind, name: 'red' });

const cluster = (spec: object) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'red' },
  spec,
});
const template = {
  spec: {
    clusterName: 'red',
    bootstrap: { dataSecretName: 'red' },
    infrastructureRef: ref('infrastructure', 'AWSMachineTemplate'),
  },
};
const workers = (kind: 'MachineSet' | 'MachineDeployment', replicas: number) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind,
  metadata: { name: 'red' },
  spec: {
    clusterName: 'red',
    replicas,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, ...template },
  },
});

let api: ReturnType<typeof createTestApi>['admin'];
beforeEach(() => {
  api = createTestApi().admin;
});

const create = async (path: string, object: object) => {
  const { code, body } = await api.ask('POST', path, object);
  expect([code, body.message]).toEqual([201, undefined]);
  return body;
};
const conditionOf = (object: { status: { conditions: Condition[] } }, type: string) =>
  object.status.conditions.find((condition) => condition.type === type);

describe('the status of a new object immediately', () => {
  it.each([
    ['Provisioning', { infrastructureRef: ref('infrastructure', 'AWSCluster') }],
    ['Pending', { topology: { classRef: { name: 'c' }, version: 'v1.34.0' } }],
  ])('has the phase of a Cluster: %s', async (phase, spec) => {
    const created = await create(`${CORE}/clusters`, cluster(spec));
    expect(created.status).toMatchObject({ phase, observedGeneration: 1 });
    expect(conditionOf(created, 'Available')).toMatchObject({ status: 'False', reason: 'NotAvailable' });
    expect(conditionOf(created, 'InfrastructureReady')).toMatchObject({ status: 'Unknown', reason: 'NotYetReported' });
    expect(conditionOf(created, 'ControlPlaneInitialized')?.status).toBe('False');
  });

  it('has the phase of a Machine: Pending', async () => {
    const { spec } = template;
    const machine = { ...cluster({}), kind: 'Machine', spec };
    const created = await create(`${CORE}/machines`, machine);
    expect(created.status.phase).toBe('Pending');
    expect(conditionOf(created, 'Ready')).toMatchObject({ status: 'Unknown', reason: 'ReadyUnknown' });
  });

  it('shows how far an owner of machines has to scale', async () => {
    const deployment = await create(`${CORE}/machinedeployments`, workers('MachineDeployment', 2));
    expect(deployment.status).toMatchObject({ phase: 'ScalingUp', replicas: 0 });
    expect(conditionOf(deployment, 'Available')?.status).toBe('False');
    const set = await create(`${CORE}/machinesets`, workers('MachineSet', 2));
    expect(conditionOf(set, 'ScalingUp')?.message).toBe('Scaling up from 0 to 2 replicas');
    const controlPlane = await create(CONTROL_PLANES, {
      apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmControlPlane',
      metadata: { name: 'red' },
      spec: { version: 'v1.34.0', machineTemplate: { spec: { infrastructureRef: template.spec.infrastructureRef } } },
    });
    expect(conditionOf(controlPlane, 'Initialized')?.status).toBe('False');
    expect(conditionOf(controlPlane, 'ScalingUp')?.message).toBe('Scaling up from 0 to 1 replicas');
  });

  it('contains nothing that its creator owns or chooses', async () => {
    const created = await create(`${CORE}/clusters`, {
      ...cluster({ infrastructureRef: ref('infrastructure', 'AWSCluster') }),
      status: { phase: 'Provisioned' },
    });
    expect(created.status.phase).toBe('Provisioning');
    expect(JSON.stringify(created.metadata.managedFields)).not.toContain('f:phase');
  });

  it('is not stored if the object is refused', async () => {
    const { code } = await api.ask('POST', `${CORE}/machines`, { ...cluster({}), kind: 'Machine', spec: undefined });
    expect(code).toBe(422);
    const { body } = await api.ask('GET', `${CORE}/machines`);
    expect(body.items).toEqual([]);
  });
});
