import { expect, it } from 'vitest';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { writtenObjects } from './written.ts';

const object = (kind: string, name: string, metadata: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  ...{ apiVersion: 'v1', kind },
  metadata: { name, namespace: 'default', ...metadata },
});

const WRITTEN = [object('MachineHealthCheck', 'workers'), object('Cluster', 'quickstart')];

it('names the objects of users', () => {
  expect(writtenObjects(WRITTEN)).toBe('Cluster quickstart, MachineHealthCheck workers');
  expect(writtenObjects(WRITTEN.slice(1))).toBe('Cluster quickstart');
});

it('leaves out objects with random names, and those of other namespaces', () => {
  const owner = { ...{ apiVersion: 'v1', kind: 'KubeadmConfig' }, ...{ name: 'a', uid: 'u' } };
  const others = [
    object('Machine', 'quickstart-x7d2k'),
    object('Secret', 'quickstart-x7d2k', { ownerReferences: [owner] }),
    object('AWSCluster', 'quickstart-f3x', { labels: { 'topology.cluster.x-k8s.io/owned': '' } }),
    object('Cluster', 'other', { namespace: 'evil' }),
  ];
  expect(writtenObjects([...others, ...WRITTEN])).toBe(writtenObjects(WRITTEN));
});
