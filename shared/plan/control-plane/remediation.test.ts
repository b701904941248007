import { describe, expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import type { ControlPlaneRemediationFacts } from './remediation.ts';
import { completing, lastRemediation } from './remediation-data.ts';
import { ALL, ago, broken, controlPlane, health, machine, type Over, plan, view } from './test-remediation.ts';

const FOR = 'controlplane.cluster.x-k8s.io/remediation-for';

const replacement = (seconds: number, retryCount: number, timestamp = ago(seconds)): Over => ({
  annotations: { [FOR]: JSON.stringify({ machine: 'old', timestamp, retryCount }) },
});

describe('planControlPlaneRemediation', () => {
  const two = [machine('b'), machine('c')];
  const three = [machine('c'), machine('d'), machine('e')];
  const REMOVED = 'MachineDeleting: Machine is deleting';
  const DEFERRED = 'RemediationDeferred: KubeadmControlPlane';
  it.each<{ reason: string; of: Machine[]; over?: Partial<ControlPlaneRemediationFacts>; is: string }>([
    { reason: 'no machine is marked', of: [machine('a', { bad: ALL }), ...two], is: 'nothing' },
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
      reason: 'it is the only machine of RKE2',
      of: [broken('a')],
      over: { controlPlane: controlPlane({ kind: 'RKE2ControlPlane' }) },
      is: "wait a: CannotBeRemediated: RKE2ControlPlane can't remediate if current replicas are less or equal to 1",
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
      reason: 'it has not joined, and the only working machine waits for it in order to leave',
      of: [broken('a', { node: false }), machine('b', { deleting: true })],
      is: `remove a (0): ${REMOVED}`,
    },
    {
      reason: 'it has not joined, and another one may still join',
      of: [broken('a', { node: false }), machine('b', { deleting: true }), machine('c', { node: false, bad: ALL })],
      is: `wait a: ${DEFERRED} waiting for control plane Machine provisioning to complete before triggering remediation`,
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
      reason: 'the user has marked the healthier of two machines',
      of: [
        broken('a'),
        machine('b', { marked: true, annotations: { 'cluster.x-k8s.io/remediate-machine': '' } }),
        ...three,
      ],
      is: `remove b (0): ${REMOVED}`,
    },
    {
      reason: 'the younger of two machines has lost its etcd member',
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
        reason: 'fails too soon, and the provider has another name for the period',
        of: replacement(600, 1),
        settings: { retryPeriodSeconds: 900, retryPeriodName: 'RetryPeriod' },
        is: "wait a: RemediationDeferred: KubeadmControlPlane can't remediate this machine because the operation already failed in the latest 15m0s (RetryPeriod)",
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
    it.each<{ reason: string; of?: Machine[]; over: Partial<ControlPlaneRemediationFacts>; is: string }>([
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
        reason: 'considers one complete if no machine will complete it',
        over: given(running, 3),
        is: `remove a (0): ${REMOVED}`,
      },
      {
        reason: 'keeps one that the next machine of a rollout will complete',
        over: { ...given(running, 3), wanted: 4 },
        is: `remove a (1): ${REMOVED}`,
      },
      {
        reason: 'considers one complete if a machine has completed it',
        over: given({ ...running, timestamp: ago(9500) }),
        is: `remove a (0): ${REMOVED}`,
      },
    ])('$reason', ({ over, is, of = [broken('a'), ...two] }) => {
      expect(plan(of, over)).toBe(is);
    });

    it('passes its record to all new machines of which one will initialize the control plane', () => {
      const owner = controlPlane({ inProgress: running, formed: false });
      const marks = [machine('n'), machine('m')]
        .map((one, at) => completing(owner, one, at))
        .map(({ metadata }) => metadata.annotations?.[FOR]);
      expect(marks.map((text) => JSON.parse(text ?? '{}'))).toEqual([running, running]);
    });

    it('passes its record to one new machine, and to the status', () => {
      const owner = controlPlane({ inProgress: running });
      const [first, second] = [machine('n'), machine('m')].map((one, at) => completing(owner, one, at));
      expect(JSON.parse(first?.metadata.annotations?.[FOR] ?? '')).toEqual(running);
      expect(second?.metadata.annotations).toBeUndefined();
      const last = { machine: 'z', time: running.timestamp, retryCount: 1 };
      expect(lastRemediation(owner, [])).toEqual(last);
      expect(lastRemediation(controlPlane(), first ? [first, ...two] : [])).toEqual(last);
    });
  });
});
