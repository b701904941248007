import { expect, it } from 'vitest';
import { kubeadm } from '../../shared/distributions/kubeadm/distribution.ts';
import { planInPlace } from './in-place.ts';
import type { World } from './world.ts';

const UID = 'control-plane';
const machine = {
  ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine' },
  metadata: {
    ...{ namespace: 'default', name: 'm', uid: 'm' },
    ownerReferences: [{ apiVersion: 'x/v1', kind: 'ControlPlane', name: 'c', uid: UID, controller: true }],
  },
  spec: { clusterName: 'c' },
};

const worldOf = (metadata: object, isOutside: boolean, spec: object = { machineTemplate: { spec: {} } }): World =>
  ({
    snapshot: {
      cluster: { metadata: { name: 'c' } },
      controlPlane: { kind: 'ControlPlane', metadata: { name: 'c', uid: UID, ...metadata }, spec },
      distribution: { ...kubeadm, isOutside },
      ...{ sets: [], deployments: [], machines: [machine] },
    },
  }) as unknown as World;

it.each([
  { what: 'that an external provider reconciles', world: worldOf({}, true, {}) },
  { what: 'that is paused', world: worldOf({ annotations: { 'cluster.x-k8s.io/paused': '' } }, false) },
  { what: 'that is being deleted', world: worldOf({ deletionTimestamp: '2026-01-01T00:00:00Z' }, false) },
])('plans no in-place change for a control plane $what', ({ world }) => {
  expect(planInPlace(world, () => true)).toEqual([]);
});
