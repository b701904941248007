import { describe, expect, it } from 'vitest';
import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Machine } from '../../kinds/index.ts';
import type { EtcdView } from './etcd-view.ts';
import { type ControlPlaneRemediationFacts, planControlPlaneRemediation } from './remediation.ts';
import { completing, lastRemediation } from './remediation-data.ts';
import { whyNotAdd } from './target-health.ts';

const NOW = new Date('2026-01-01T12:00:00Z');
const ago = (seconds: number): string => `${new Date(NOW.getTime() - seconds * 1000).toISOString().slice(0, 19)}Z`;
const IN_PROGRESS = 'controlplane.cluster.x-k8s.io/remediation-in-progress';
const FOR = 'controlplane.cluster.x-k8s.io/remediation-for';
const health = { components: ['APIServerPodHealthy'], etcd: ['EtcdPodHealthy', 'EtcdMemberHealthy'] };

const condition = (type: string, status: string) => ({
  ...{ type, status, reason: 'Because', message: '', lastTransitionTime: ago(9) },
});

interface Over {
  /** Health conditions that are False. */
  bad?: string[];
  marked?: true;
  node?: false;
  deleting?: true;
  annotations?: Record<string, string>;
  born?: number;
}

const machine = (name: string, { bad = [], born = 9000, ...over }: Over = {}) =>
  ({
    metadata: {
      name,
      creationTimestamp: ago(born),
      annotations: over.annotations,
      ...(over.deleting ? { deletionTimestamp: ago(1) } : {}),
    },
    status: {
      ...(over.node === false ? {} : { nodeRef: { name: `node-${name}` } }),
      conditions: [
        ...[...health.components, ...health.etcd].map((type) => condition(type, bad.includes(type) ? 'False' : 'True')),
        ...(over.marked ? [condition('HealthCheckSucceeded', 'False'), condition('OwnerRemediated', 'False')] : []),
      ],
    },
  }) as unknown as Machine;

const ALL = [...health.components, ...health.etcd];
const broken = (name: string, over: Over = {}) => machine(name, { bad: ALL, marked: true, ...over });

const controlPlane = (over: { formed?: false; inProgress?: object; replicas?: number } = {}) =>
  ({
    metadata: { name: 'kcp', annotations: over.inProgress ? { [IN_PROGRESS]: JSON.stringify(over.inProgress) } : {} },
    spec: { replicas: over.replicas ?? 3 },
    status: { initialization: { controlPlaneInitialized: over.formed ?? true } },
  }) as unknown as ControlPlane;

const view = (names: string[], silent: string[] = [], learner?: string): EtcdView => ({
  members: names.map((name) => ({ id: name, name: `node-${name}`, learner: name === learner, hosts: [] })),
  leader: names[0],
  alarms: new Map(),
  reachable: new Set(names.filter((name) => !silent.includes(name))),
});

const plan = (machines: Machine[], over: Partial<ControlPlaneRemediationFacts> = {}) => {
  const names = machines.map(({ metadata }) => metadata.name);
  const next = planControlPlaneRemediation({
    ...{ controlPlane: controlPlane(), machines, settings: {}, health, etcd: view(names), now: NOW },
    ...over,
  });
  if (next.do === 'nothing' || next.do === 'ask-etcd') return next.do;
  const tries = next.do === 'remove' ? ` (${next.data.retryCount})` : '';
  return `${next.do} ${next.machine.metadata.name}${tries}: ${next.claim.reason}: ${next.claim.message}`;
};

const replacement = (seconds: number, retryCount: number, timestamp = ago(seconds)): Over => ({
  annotations: { [FOR]: JSON.stringify({ machine: 'old', timestamp, retryCount }) },
});

describe('planControlPlaneRemediation', () => {
  const two = [machine('b'), machine('c')];
  const three = [machine('c'), machine('d'), machine('e')];
  const REMOVED = 'MachineDeleting: Machine is deleting';
  const DEFERRED = 'RemediationDeferred: KubeadmControlPlane';
  it.each<{ reason: string; of: Machine[]; over?: Partial<ControlPlaneRemediationFacts>; is: string }>([
    { reason: 'nobody is marked', of: [machine('a', { bad: ALL }), ...two], is: 'nothing' },
    { reason: 'one of three is broken', of: [broken('a'), ...two], is: `remove a (0): ${REMOVED}` },
    { reason: 'etcd was not queried yet', of: [broken('a'), ...two], over: { etcd: 'unasked' }, is: 'ask-etcd' },
    {
      reason: 'etcd does not respond',
      of: [broken('a'), ...two],
      over: { etcd: undefined },
      is: 'wait a: RemediationDeferred: Failed to check etcd cluster health before remediation',
    },
    {
      reason: 'it is the only machine',
      of: [broken('a')],
      is: "wait a: CannotBeRemediated: KubeadmControlPlane can't remediate if current replicas are less or equal to 1",
    },
    {
      reason: 'another is being created',
      of: [broken('a'), machine('b', { node: false, bad: ALL }), machine('c')],
      is: `wait a: ${DEFERRED} waiting for control plane Machine provisioning to complete before triggering remediation`,
    },
    {
      reason: 'another is being deleted',
      of: [broken('a'), machine('b', { deleting: true }), machine('c')],
      is: `wait a: ${DEFERRED} waiting for control plane Machine deletion to complete before triggering remediation`,
    },
    {
      reason: 'a second of three etcd members is not healthy',
      of: [broken('a'), machine('b', { bad: ['EtcdMemberHealthy'] }), machine('c')],
      is: "wait a: CannotBeRemediated: KubeadmControlPlane can't remediate this Machine because this could result in loosing Kubernetes control plane components or in etcd quorum loss",
    },
    {
      reason: 'a second of five etcd members is not healthy',
      of: [broken('a'), broken('b', { born: 1 }), ...three],
      is: `remove a (0): ${REMOVED}`,
    },
    {
      reason: 'a member is a learner',
      of: [broken('a'), ...two],
      over: { etcd: view(['a', 'b', 'c'], [], 'c') },
      is: expect.stringContaining('wait a: CannotBeRemediated') as unknown as string,
    },
    {
      reason: 'a member without a machine does not respond',
      of: [broken('a'), ...two],
      over: { etcd: view(['a', 'b', 'c', 'x'], ['x']) },
      is: `remove a (0): ${REMOVED}`,
    },
    {
      reason: 'members without a machine are as many as the healthy ones',
      of: [broken('a'), ...two],
      over: { etcd: view(['a', 'b', 'c', 'x', 'y'], ['x', 'y']) },
      is: expect.stringContaining('wait a: CannotBeRemediated') as unknown as string,
    },
    {
      reason: 'it has no node, and therefore no member',
      of: [broken('a', { node: false }), ...two],
      is: `remove a (0): ${REMOVED}`,
    },
    {
      reason: 'no other machine has a working API server',
      of: [broken('a'), machine('b', { bad: ['APIServerPodHealthy'] }), machine('c', { bad: ['APIServerPodHealthy'] })],
      is: expect.stringContaining('wait a: CannotBeRemediated') as unknown as string,
    },
    {
      reason: 'the control plane is not initialized',
      of: [broken('a', { node: false })],
      over: { controlPlane: controlPlane({ formed: false }), etcd: undefined },
      is: `remove a (0): ${REMOVED}`,
    },
    {
      reason: 'the user has marked the healthier of two',
      of: [
        broken('a'),
        machine('b', { marked: true, annotations: { 'cluster.x-k8s.io/remediate-machine': '' } }),
        ...three,
      ],
      is: `remove b (0): ${REMOVED}`,
    },
    {
      reason: 'the younger of two has lost its etcd member',
      of: [machine('a', { marked: true, bad: health.components }), broken('b', { born: 5 }), ...three],
      is: `remove b (0): ${REMOVED}`,
    },
  ])('$reason: $is', ({ of, over, is }) => {
    expect(plan(of, over)).toEqual(is);
  });

  describe('a machine that was created by a remediation', () => {
    it.each([
      { reason: 'fails soon: another attempt', of: replacement(600, 1), settings: {}, is: `remove a (2): ${REMOVED}` },
      {
        reason: 'fails after the healthy period: a new remediation',
        of: replacement(3600, 1),
        settings: { maxRetry: 1 },
        is: `remove a (0): ${REMOVED}`,
      },
      {
        reason: 'fails before the next attempt is allowed',
        of: replacement(600, 1),
        settings: { retryPeriodSeconds: 900 },
        is: "wait a: RemediationDeferred: KubeadmControlPlane can't remediate this machine because the operation already failed in the latest 15m0s (RetryPeriodSeconds)",
      },
      {
        reason: 'fails too often',
        of: replacement(600, 3),
        settings: { maxRetry: 3, minHealthyPeriodSeconds: 1200 },
        is: "wait a: CannotBeRemediated: KubeadmControlPlane can't remediate this machine because the operation already failed 3 times (MaxRetry)",
      },
      {
        reason: 'has an invalid annotation',
        of: { annotations: { [FOR]: 'x' } },
        settings: { maxRetry: 0 },
        is: `remove a (0): ${REMOVED}`,
      },
    ])('$reason', ({ of, settings, is }) => {
      expect(plan([broken('a', of), ...two], { settings })).toBe(is);
    });
  });

  describe('while a remediation is in progress', () => {
    const running = { machine: 'z', timestamp: ago(60), retryCount: 1 };
    const given = (data: object, replicas = 4) => ({ controlPlane: controlPlane({ inProgress: data, replicas }) });
    it.each<{ reason: string; of?: Machine[]; over: ReturnType<typeof given>; is: string }>([
      {
        reason: 'starts no other if the replacement can be added',
        of: [broken('a'), ...three],
        over: given(running, 5),
        is: 'nothing',
      },
      {
        reason: 'starts no other while a machine is being deleted',
        of: [broken('a'), machine('b', { deleting: true }), machine('c')],
        over: given(running),
        is: 'nothing',
      },
      {
        reason: 'starts another if the replacement would cost the quorum, and keeps count of the retries',
        of: [broken('a'), ...two],
        over: given(running),
        is: `remove a (1): ${REMOVED}`,
      },
      {
        reason: 'finishes one that was interrupted',
        over: given({ ...running, machine: 'a' }),
        is: `remove a (1): ${REMOVED}`,
      },
      {
        reason: 'treats one as complete that no machine will complete',
        over: given(running, 3),
        is: `remove a (0): ${REMOVED}`,
      },
      {
        reason: 'treats one as complete that a machine has completed',
        over: given({ ...running, timestamp: ago(9500) }),
        is: `remove a (0): ${REMOVED}`,
      },
    ])('$reason', ({ over, is, of = [broken('a'), ...two] }) => {
      expect(plan(of, over)).toBe(is);
    });

    it('passes its record to one new machine, and to the status', () => {
      const owner = controlPlane({ inProgress: running });
      const [first, second] = completing(owner, [machine('n'), machine('m')]);
      expect(JSON.parse(first?.metadata.annotations?.[FOR] ?? '')).toEqual(running);
      expect(second?.metadata.annotations).toBeUndefined();
      const last = { machine: 'z', time: running.timestamp, retryCount: 1 };
      expect(lastRemediation(owner, [])).toEqual(last);
      expect(lastRemediation(controlPlane(), first ? [first, ...two] : [])).toEqual(last);
    });
  });
});

describe('the machine that completes a remediation', () => {
  it.each([
    {
      reason: 'two of four are healthy, which is no majority',
      of: [machine('a'), machine('b'), broken('c'), broken('d')],
      is: /quorum/,
    },
    { reason: 'three of four are healthy', of: [machine('a'), machine('b'), machine('c'), broken('d')], is: undefined },
    { reason: 'the only remaining one is healthy', of: [machine('a')], is: undefined },
    {
      reason: 'no API server is healthy',
      of: [machine('a', { bad: health.components })],
      is: /no control plane Machines with all/,
    },
  ])('is created or not: $reason', ({ of, is }) => {
    const why = whyNotAdd(of, health);
    if (is) expect(why).toMatch(is);
    else expect(why).toBeUndefined();
  });
});

describe('a machine whose member of etcd is dead, while another one is joining or leaving', () => {
  const dead = broken('a');
  const leaving = machine('b', { deleting: true });
  const joining = machine('b', { node: false, bad: ALL });
  const members = (...names: string[]) => ({ etcd: view(names, ['a']) });

  it.each([
    { other: 'leaves', machines: [dead, leaving, machine('c')], over: members('a', 'b', 'c') },
    { other: 'joins', machines: [dead, joining, machine('c'), machine('d')], over: members('a', 'c', 'd') },
  ])('is deleted immediately, because none was remediated $other before', ({ machines, over }) => {
    expect(plan(machines, { etcd: 'unasked' })).toBe('ask-etcd');
    expect(plan(machines, over)).toBe('remove a (0): MachineDeleting: Machine is deleting');
  });

  it.each([
    { reason: 'another member is unresponsive, too', etcd: view(['a', 'b', 'c'], ['a', 'c']) },
    { reason: 'another is not a voting member yet', etcd: view(['a', 'b', 'c'], ['a'], 'c') },
    { reason: 'it responds after all', etcd: view(['a', 'b', 'c']) },
    { reason: 'nobody knows', etcd: undefined },
  ])('waits if $reason', ({ etcd }) => {
    expect(plan([dead, leaving, machine('c')], { etcd })).toMatch(/^wait a: RemediationDeferred/);
  });
});
