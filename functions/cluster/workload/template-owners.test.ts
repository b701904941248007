import { beforeEach, expect, it } from 'vitest';
import { type AWSMachineTemplate, KINDS, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject, OwnerReference } from '../../../shared/kube-api/object.ts';
import { MAX_OWNERS } from '../../../shared/kube-api/owner-limits.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { aws } from '../../../shared/providers/aws/infrastructure.ts';
import { systemRandom } from '../../../shared/random.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import { restoreTemplateOwners } from './template-owners.ts';

const KEY = { namespace: 'default', name: 'workers' };
const OWNER = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'red', uid: 'u-red' };
const ref = (group: string, kind: string) => ({ apiGroup: `${group}.cluster.x-k8s.io`, kind, name: 'workers' });
const SNAPSHOT = {
  cluster: { apiVersion: OWNER.apiVersion, kind: OWNER.kind, metadata: { ...KEY, name: 'red', uid: OWNER.uid } },
  deployments: [
    {
      spec: {
        template: {
          spec: {
            bootstrap: { configRef: ref('bootstrap', 'KubeadmConfigTemplate') },
            infrastructureRef: ref('infrastructure', 'AWSMachineTemplate'),
          },
        },
      },
    },
  ],
  sets: [],
} as never as ClusterSnapshot;

let objects: ObjectClient;
beforeEach(async () => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  objects = createObjectClient(registry);
  const metadata = { ...KEY };
  await objects.ensure(kinds.awsMachineTemplate, {
    ...{ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachineTemplate', metadata },
    spec: { template: { spec: { instanceType: 'm6g.large' } } },
  } as AWSMachineTemplate);
  await objects.ensure(kinds.kubeadmConfigTemplate, {
    ...{ apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2', kind: 'KubeadmConfigTemplate', metadata },
    spec: { template: { spec: { preKubeadmCommands: ['true'] } } },
  } as never);
});

const template = async () => (await objects.get(kinds.awsMachineTemplate, KEY)) as AWSMachineTemplate;
const restore = async () => restoreTemplateOwners(objects, SNAPSHOT, aws, [await template()]);
const owned = (ownerReferences: OwnerReference[]) =>
  objects.mutate(kinds.awsMachineTemplate, KEY, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, ownerReferences },
  }));
const both = async (): Promise<KubeObject[]> => [
  await template(),
  (await objects.get(kinds.kubeadmConfigTemplate, KEY)) as KubeObject,
];

it('restores the Cluster as an owner of its templates, once', async () => {
  await restore();
  const after = await both();
  expect(after.map(({ metadata }) => metadata.ownerReferences)).toEqual([[OWNER], [OWNER]]);
  await restore();
  expect(await both()).toEqual(after);
});

it('keeps the other owners of a shared template', async () => {
  const other = { ...OWNER, name: 'blue', uid: 'u-blue' };
  await owned([other]);
  await restore();
  expect((await template()).metadata.ownerReferences).toEqual([other, OWNER]);
});

it('adds no owner to a template that has the maximum number', async () => {
  const full = Array.from({ length: MAX_OWNERS }, (_, n) => ({ ...OWNER, name: `c${n}`, uid: `u-${n}` }));
  await owned(full);
  await restore();
  expect((await template()).metadata.ownerReferences).toEqual(full);
});
