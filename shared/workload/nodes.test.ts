import { expect, it } from 'vitest';
import { podHealth } from '../plan/control-plane/static-pods.ts';
import { toNode, toPod } from './nodes.ts';

const manager = (status: object) =>
  toPod({
    metadata: { name: 'kube-controller-manager-n-1', namespace: 'kube-system', uid: 'u-1' },
    spec: { nodeName: 'n-1', containers: [{ name: 'kube-controller-manager', image: 'registry.k8s.io/pause' }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: null }], ...status },
  });

const container = (states: object) => ({
  ...{ name: 'kube-controller-manager', image: 'registry.k8s.io/pause', imageID: '', ready: false, restartCount: 3 },
  ...states,
});

it.each([
  [
    'a container that fails repeatedly',
    {
      state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting failed container' } },
      lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: null, finishedAt: null } },
    },
    { status: 'False', reason: 'Failed', message: 'CrashLoopBackOff' },
  ],
  [
    'a container whose image is pulled',
    { state: { waiting: { reason: 'ErrImagePull' } }, lastState: {} },
    { status: 'False', reason: 'Provisioning', message: 'ErrImagePull' },
  ],
  [
    'a container that has ended',
    { state: { terminated: { exitCode: 137, reason: 'OOMKilled' } }, lastState: {} },
    { status: 'False', reason: 'Failed', message: 'OOMKilled' },
  ],
])('the health of a pod is determined from what is kept of it: %s', (_what, states, expected) => {
  const node = toNode({ metadata: { name: 'n-1' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  const claims = podHealth(node, [manager({ containerStatuses: [container(states)] })]);

  expect(claims.find(({ type }) => type === 'ControllerManagerPodHealthy')).toMatchObject(expected);
});
