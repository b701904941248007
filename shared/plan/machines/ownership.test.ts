import { expect, it } from 'vitest';
import { withController } from './ownership.ts';

const owner = {
  ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata: { name: 'm', uid: 'uid-m' } },
  spec: { clusterName: 'red' },
};
const object = (metadata: object) => ({
  ...{ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachine' },
  metadata: { name: 'm', ...metadata },
});
const former = { apiVersion: 'v1', kind: 'Former', name: 'f', uid: 'uid-f' };
const controller = { apiVersion: owner.apiVersion, kind: 'Machine', name: 'm', uid: 'uid-m', controller: true };

it('withController makes the owner the only controller, and keeps other owners, labels and finalizers', () => {
  const before = object({
    ...{ labels: { team: 'a' }, finalizers: ['example.com/kept'] },
    ownerReferences: [
      { ...former, controller: true },
      { ...controller, uid: 'before a restored backup' },
    ],
  });
  expect(withController(before, owner, 'example.com/added').metadata).toEqual({
    ...{ name: 'm', labels: { team: 'a', 'cluster.x-k8s.io/cluster-name': 'red' } },
    ownerReferences: [former, { ...controller, blockOwnerDeletion: true }],
    finalizers: ['example.com/kept', 'example.com/added'],
  });
});

it('withController changes nothing the second time, and adds a finalizer only if one is given', () => {
  const once = withController(object({}), owner);
  expect(withController(once, owner)).toEqual(once);
  expect(once.metadata).not.toHaveProperty('finalizers');
});
