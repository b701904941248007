import type { V1Node, V1Pod } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { podHealth } from './static-pods.ts';

const node = ({ ready = 'True', taints = [] as object[] } = {}) =>
  ({
    metadata: { name: 'n-1' },
    spec: { taints },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  }) as V1Node;

const conditions = (...types: string[]) => types.map((type) => ({ type, status: 'True' }));
const pod = (component: string, status: object) => ({ metadata: { name: `${component}-n-1` }, status }) as V1Pod;
const running = { phase: 'Running', conditions: conditions('Ready') };
const withContainer = (status: object) => ({ phase: 'Running', containerStatuses: [status] });

const claimsOf = (seen: V1Node, status: object | undefined) => {
  const others = ['kube-controller-manager', 'kube-scheduler', 'etcd'].map((name) => pod(name, running));
  return podHealth(seen, [...(status ? [pod('kube-apiserver', status)] : []), ...others]);
};
const claimOf = (seen: V1Node, status: object | undefined) =>
  claimsOf(seen, status).find(({ type }) => type === 'APIServerPodHealthy');

describe('the condition of a static pod', () => {
  it.each([
    ['is running', running, 'True', 'Running', undefined],
    ['does not exist', undefined, 'False', 'DoesNotExist', 'Pod does not exist'],
    ['is not scheduled', { phase: 'Pending' }, 'False', 'Provisioning', 'Waiting to be scheduled'],
    [
      'runs its init containers',
      { phase: 'Pending', conditions: conditions('PodScheduled') },
      'False',
      'Provisioning',
      'Running init containers',
    ],
    [
      'starts',
      { phase: 'Pending', conditions: conditions('PodScheduled', 'Initialized') },
      'False',
      'Provisioning',
      undefined,
    ],
    ['is not ready', { phase: 'Running' }, 'False', 'Provisioning', 'Waiting for startup or readiness probes'],
    [
      'waits for its image',
      withContainer({ state: { waiting: { reason: 'ErrImagePull' } } }),
      'False',
      'Provisioning',
      'ErrImagePull',
    ],
    [
      'crashes',
      withContainer({
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 1 } },
      }),
      'False',
      'Failed',
      'CrashLoopBackOff',
    ],
    ['has ended', withContainer({ state: { terminated: { reason: 'Error' } } }), 'False', 'Failed', 'Error'],
    ['has failed', { phase: 'Failed' }, 'False', 'Failed', 'All the containers have been terminated'],
    ['is unknown', { phase: 'Unknown' }, 'Unknown', 'InspectionFailed', 'Pod is reporting Unknown status'],
  ])('is set for a pod that %s', (_what, pod, status, reason, message) => {
    expect(claimOf(node(), pod)).toEqual({
      type: 'APIServerPodHealthy',
      status,
      reason,
      ...(message === undefined ? {} : { message }),
    });
  });

  it.each([
    ['does not report', node({ ready: 'Unknown' }), 'Node Ready condition is Unknown, Pod data might be stale'],
    [
      'is unreachable',
      node({ ready: 'Unknown', taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }] }),
      'Node n-1 is unreachable',
    ],
  ])('is unknown while its node %s, and so is that of the etcd member', (_what, seen, message) => {
    for (const claim of claimsOf(seen, running))
      expect(claim).toMatchObject({ status: 'Unknown', reason: 'InspectionFailed', message });
  });

  it('determines the health of the etcd member', () => {
    const member = (etcd: object) =>
      podHealth(node(), [pod('etcd', etcd)]).find(({ type }) => type === 'EtcdMemberHealthy');

    expect(member(running)).toEqual({ type: 'EtcdMemberHealthy', status: 'True', reason: 'Healthy' });
    expect(member({ phase: 'Running' })).toMatchObject({ status: 'False', reason: 'NotHealthy' });
  });

  it('does not make the etcd member healthy if etcd reports a problem', () => {
    const etcd = {
      members: [{ id: 'a', name: 'n-1', learner: false, hosts: [] }],
      alarms: new Map([['a', 'NOSPACE']]),
    };
    const member = (status: object) =>
      podHealth(node(), [pod('etcd', status)], etcd).find(({ type }) => type === 'EtcdMemberHealthy');

    expect(member(running)).toMatchObject({ status: 'False', message: 'Etcd reports alarms: NOSPACE' });
    expect(member({ phase: 'Failed' })).toMatchObject({ message: 'All the containers have been terminated' });
  });
});
