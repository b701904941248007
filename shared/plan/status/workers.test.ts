import { expect, it } from 'vitest';
import type { Machine, MachineDeployment, MachineSet } from '../../kinds/index.ts';
import { findCondition } from './conditions.ts';
import { countVersions } from './counts.ts';
import { isDeploymentSettled, machineDeploymentStatus, machineSetStatus, upToDateClaim } from './workers.ts';

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

it('the selector in the status is that of the spec with its expressions', () => {
  const of = deployment({
    selector: { matchLabels: { pool: 'a' }, matchExpressions: [{ key: 'arch', operator: 'In', values: ['y', 'x'] }] },
  });
  const text = 'arch in (x,y),pool=a';
  expect(machineDeploymentStatus(of, { machines: [] }, NOW).selector).toBe(text);
  expect(machineSetStatus(of as unknown as MachineSet, { machines: [] }, NOW).selector).toBe(text);
});

it('a deployment that is being deleted requires nothing', () => {
  expect(messageOf(deployment({}, DELETED), 'Available')).toBe('Deletion in progress');
  expect(messageOf(deployment({}, DELETED), 'Deleting')).toBe('Deleting 1 Machine');
});

it('the reason for a blocked scale-down is reported only if the deployment is not being deleted', () => {
  expect(messageOf(deployment({ replicas: 0 }), 'ScalingDown', '* why')).toBe(
    'Scaling down from 1 to 0 replicas:\n* why',
  );
  expect(messageOf(deployment({}, DELETED), 'ScalingDown', '* why')).toBe('Scaling down from 1 to 0 replicas');
});

const running = (kubelet: string, conditions: object[] = [], labels = {}): Machine =>
  ({
    metadata: { name: 'm', labels },
    spec: { version: 'v1.34.1' },
    status: { nodeInfo: { kubeletVersion: kubelet }, conditions },
  }) as unknown as Machine;

it.each([
  ['its own', running('v1.34.1'), [], { status: 'True', reason: 'UpToDate' }],
  [
    'another',
    running('v1.34.0'),
    [],
    {
      status: 'False',
      reason: 'Updating',
      message: '* Node.status.nodeInfo.kubeletVersion v1.34.0, v1.34.1 required',
    },
  ],
  [
    'another, while the machine is to be replaced,',
    running('v1.34.0'),
    ['why'],
    { status: 'False', reason: 'NotUpToDate', message: '* why' },
  ],
  [
    'another, in a pool,',
    running('v1.34.0', [], { 'cluster.x-k8s.io/pool-name': 'p' }),
    [],
    { status: 'True', reason: 'UpToDate' },
  ],
  ['no', MACHINE, [], { status: 'True', reason: 'UpToDate' }],
])(
  'a machine whose node reports %s version of the kubelet has a matching UpToDate condition',
  (_, machine, outdated, claim) => {
    expect(upToDateClaim(outdated, machine)).toEqual({ type: 'UpToDate', ...claim });
  },
);

it('a deployment whose nodes report another kubelet counts their versions, and has nothing left to do', () => {
  const of = (reason: string) =>
    ['Available', 'UpToDate'].map((type) => ({ type, status: type === 'Available' ? 'True' : 'False', reason }));
  const settledWith = (machines: Machine[]) => {
    const owner = deployment({ replicas: 1 });
    return isDeploymentSettled({ ...owner, status: machineDeploymentStatus(owner, { machines }, NOW) }, machines);
  };
  const machines = [running('v1.34.0', of('Updating'))];
  expect(machineDeploymentStatus(deployment({}), { machines }, NOW)).toMatchObject({
    upToDateReplicas: 0,
    versions: [{ version: 'v1.34.0', replicas: 1 }],
  });
  expect(settledWith(machines)).toBe(true);
  expect(settledWith([running('v1.34.0', of('NotUpToDate'))])).toBe(false);
  expect(countVersions(machines, ({ spec }) => spec.version).versions).toEqual([{ version: 'v1.34.1', replicas: 1 }]);
});
