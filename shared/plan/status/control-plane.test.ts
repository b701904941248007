import { describe, expect, it } from 'vitest';
import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Cluster, Machine } from '../../kinds/index.ts';
import { findCondition } from './conditions.ts';
import { controlPlaneStatus } from './control-plane.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const GONE = { deletionTimestamp: '2025-12-31T23:59:00Z' };

const clusterOf = (metadata: object) =>
  ({ metadata: { name: 'red', namespace: 'team', ...metadata }, spec: {} }) as Cluster;

describe('a control plane that is being deleted', () => {
  const controlPlane = {
    kind: 'KubeadmControlPlane',
    metadata: { name: 'red-cp', namespace: 'team', generation: 2, ...GONE },
    spec: { replicas: 1, version: 'v1.34.0' },
  } as unknown as ControlPlane;
  const machine = {
    metadata: { name: 'red-cp-1' },
    spec: { version: 'v1.34.0' },
    status: { conditions: [] },
  } as unknown as Machine;
  const deleting = (cluster: Cluster, workersLeft: number) => {
    const health = { components: [], etcd: [] };
    const facts = { machines: [machine], health, initialized: true, workersLeft, cluster };
    return findCondition(controlPlaneStatus(controlPlane, facts, NOW).conditions, 'Deleting');
  };

  it.each([
    ['workers', 2, 'WaitingForWorkersDeletion'],
    ['its machines', 0, 'WaitingForMachineDeletion'],
  ])('with its Cluster waits for %s', (_, workersLeft, reason) => {
    const message = 'Deleting 1 Machine';
    expect(deleting(clusterOf(GONE), workersLeft)).toMatchObject({ status: 'True', reason, message });
  });

  it('without its Cluster says that it stays', () => {
    const message =
      'KubeadmControlPlane and its Machines stay until Cluster red is deleted, and are not changed any more';
    expect(deleting(clusterOf({}), 0)).toMatchObject({ status: 'True', message });
  });
});
