import { expect, it } from 'vitest';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { testAccount, withInstance } from '../verdicts/test-account.ts';
import { makeMost } from './most.ts';

const object = (kind: string, uid: string, replicas?: number, metadata: object = {}) => ({
  object: {
    ...{ apiVersion: 'v1', kind },
    metadata: { name: uid, uid, ...metadata },
    spec: { replicas },
  } as KubeObject,
});

it('reports more instances than the objects want, with their surge', () => {
  const account = testAccount();
  const most = makeMost(account, () => [object('KubeadmControlPlane', 'a', 1), object('MachineDeployment', 'b', 1)]);
  const launch = (count: number): string[] => {
    for (let made = 0; made < count; made += 1) withInstance(account, {});
    return most.breaches();
  };
  expect(launch(4)).toEqual([]);
  expect(launch(1)).toEqual(['5 instances are live, more than the 4 that objects want']);
});

it('remembers what an object wanted, and counts machines that are being deleted', () => {
  const account = testAccount();
  let objects = [object('MachineDeployment', 'b', 3)];
  const most = makeMost(account, () => objects);
  objects = [
    object('MachineDeployment', 'b', 0),
    object('Machine', 'c', undefined, { deletionTimestamp: 'now', ownerReferences: [{ controller: true }] }),
  ];
  for (let made = 0; made < 6; made += 1) withInstance(account, {});
  expect(most.breaches()).toEqual([]);
  withInstance(account, {});
  expect(most.breaches()).toHaveLength(1);
});

it('instances of groups do not count', () => {
  const account = testAccount();
  const most = makeMost(account, () => []);
  withInstance(account, { 'aws:autoscaling:groupName': 'a' });
  expect(most.breaches()).toEqual([]);
});
