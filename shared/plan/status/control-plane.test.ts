import { expect, it } from 'vitest';
import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Cluster, Machine } from '../../kinds/index.ts';
import { findCondition } from './conditions.ts';
import { type ControlPlaneStatusFacts, controlPlaneStatus } from './control-plane.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };

/** The conditions of a control plane with one machine. */
const conditionsOf = (
  metadata: object,
  cluster: Partial<Cluster['metadata']>,
  facts: Partial<ControlPlaneStatusFacts> = {},
) => {
  const controlPlane = {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmControlPlane',
    metadata: { name: 'demo', ...metadata },
    spec: { replicas: 1 },
  } as ControlPlane;
  const machine = { metadata: { name: 'demo-a' }, spec: {} } as Machine;
  const known = {
    machines: [machine],
    health: { components: [], etcd: [] },
    initialized: true,
    workersLeft: 0,
    cluster: { metadata: { name: 'demo', ...cluster }, spec: {} } as Cluster,
    ...facts,
  };
  return controlPlaneStatus(controlPlane, known, NOW).conditions;
};

/** The condition `Deleting` of a control plane that is being deleted. */
const deleting = (cluster: Partial<Cluster['metadata']>, facts: Partial<ControlPlaneStatusFacts> = {}) =>
  findCondition(conditionsOf(DELETED, cluster, facts), 'Deleting');

it('a control plane has its conditions from the beginning, those of etcd only if its distribution names them', () => {
  const types = (conditionsOf({}, {}, { initialized: false }) ?? []).map(({ type }) => type);
  expect(types.toSorted()).toEqual([
    'Available',
    'ControlPlaneComponentsHealthy',
    'Deleting',
    'Initialized',
    'MachinesReady',
    'MachinesUpToDate',
    'Paused',
    'Remediating',
    'RollingOut',
    'ScalingDown',
    'ScalingUp',
  ]);
});

it('the deletion of a control plane alone waits until its Cluster is deleted', () => {
  expect(deleting({}, { workersLeft: 3 })).toMatchObject({
    status: 'True',
    reason: 'WaitingForClusterDeletion',
    message: expect.stringMatching(/^The KubeadmControlPlane stays until Cluster demo is deleted; .*its finalizer/),
  });
});

it('the deletion of a control plane reports what it waits for once the Cluster is deleted', () => {
  expect(deleting(DELETED, { workersLeft: 3 })).toMatchObject({
    reason: 'WaitingForWorkersDeletion',
    message: 'Waiting for workers to be deleted',
  });
  expect(deleting(DELETED)).toMatchObject({ reason: 'WaitingForMachineDeletion', message: 'Deleting 1 Machine' });
});
