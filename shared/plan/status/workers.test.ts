import { expect, it } from 'vitest';
import type { Machine, MachineDeployment } from '../../kinds/index.ts';
import { findCondition } from './conditions.ts';
import { machineDeploymentStatus } from './workers.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

const deployment = (spec: Partial<MachineDeployment['spec']>, metadata: object = {}): MachineDeployment => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineDeployment',
  metadata: { name: 'md', generation: 1, ...metadata },
  spec: { clusterName: 'c', replicas: 3, selector: {}, template: { spec: { clusterName: 'c' } }, ...spec } as never,
});

const MACHINE = { metadata: { name: 'm' }, spec: {}, status: {} } as unknown as Machine;

const messageOf = (of: MachineDeployment, type: string, blocked?: string) =>
  findCondition(machineDeploymentStatus(of, { machines: [MACHINE], blocked }, NOW).conditions, type)?.message;

const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };

it.each([
  [{}, '0 available replicas, at least 3 required (spec.strategy.rollout.maxUnavailable is 0, spec.replicas is 3)'],
  [
    { rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '34%' } } } },
    '0 available replicas, at least 2 required (spec.strategy.rollout.maxUnavailable is 34%, spec.replicas is 3)',
  ],
  [{ rollout: { strategy: { type: 'OnDelete' } } }, '0 available replicas, at least 3 required'],
] as const)('a deployment of %j names what its availability requires', (spec, message) => {
  expect(messageOf(deployment(spec as Partial<MachineDeployment['spec']>), 'Available')).toBe(message);
});

it('a deployment that is being deleted requires nothing', () => {
  expect(messageOf(deployment({}, DELETED), 'Available')).toBe('Deletion in progress');
  expect(messageOf(deployment({}, DELETED), 'Deleting')).toBe('Deleting 1 Machine');
});

it('only a deployment that is not being deleted is blocked', () => {
  expect(messageOf(deployment({ replicas: 0 }), 'ScalingDown', '* why')).toBe(
    'Scaling down from 1 to 0 replicas:\n* why',
  );
  expect(messageOf(deployment({}, DELETED), 'ScalingDown', '* why')).toBe('Scaling down from 1 to 0 replicas');
});
