import { beforeEach, describe, expect, it } from 'vitest';
import { DISTRIBUTIONS } from '../../../shared/distributions/registry.ts';
import { KINDS, type KubeadmConfig, kinds } from '../../../shared/kinds/index.ts';
import type { OwnerReference } from '../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { ensureNamespaces } from '../../../shared/kube-api/registry/namespaces.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../../../shared/random.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import { deleteConfig } from './bootstrap-remains.ts';

const KEY = { namespace: 'default', name: 'worker' };
const KUBEADM = DISTRIBUTIONS.find(({ config }) => config.kind === 'KubeadmConfig');
const BOOTSTRAP = 'bootstrap.cluster.x-k8s.io/v1beta2';

describe('the deletion of a bootstrap configuration', () => {
  let objects: ObjectClient;
  let config: KubeadmConfig;
  beforeEach(async () => {
    const [storage, clock] = [createMemoryStorage(), testClock('2030-01-01T00:00:00Z')];
    const registry = createRegistry({ resources: KINDS, storage, clock, random: systemRandom });
    await ensureNamespaces(registry);
    objects = createObjectClient(registry);
    const spec = { format: 'cloud-config' as const };
    const wanted: KubeadmConfig = { apiVersion: BOOTSTRAP, kind: 'KubeadmConfig', metadata: KEY, spec };
    ({ object: config } = await objects.ensure(kinds.kubeadmConfig, wanted));
  });

  /** Whether a Secret with the name of the configuration outlives it. */
  const isKept = async (ownerReferences: OwnerReference[]): Promise<boolean> => {
    const metadata = { ...KEY, ownerReferences };
    await objects.ensure(kinds.secret, { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data: {} });
    if (KUBEADM) await deleteConfig(objects, KUBEADM, config);
    expect(await objects.get(kinds.kubeadmConfig, KEY)).toBeUndefined();
    return (await objects.get(kinds.secret, KEY)) !== undefined;
  };
  const owner = (kind: string, uid = config.metadata.uid ?? ''): OwnerReference => ({
    ...{ apiVersion: BOOTSTRAP, kind, name: KEY.name, uid },
  });

  it('deletes the Secret that was created for it', async () => {
    expect(await isKept([owner('KubeadmConfig')])).toBe(false);
  });

  it('deletes its Secret after a restored backup, in which uids differ', async () => {
    expect(await isKept([owner('KubeadmConfig', 'former')])).toBe(false);
  });

  it('keeps a Secret that only has the same name', async () => {
    expect(await isKept([])).toBe(true);
  });

  it('deletes the Secret that its status names, even if the Secret has lost its owner', async () => {
    const labels = { 'cluster.x-k8s.io/cluster-name': 'red' };
    const made = (await objects.mutate(kinds.kubeadmConfig, KEY, (current) => ({
      ...current,
      metadata: { ...current.metadata, labels },
      status: { dataSecretName: KEY.name },
    }))) as KubeadmConfig;
    const metadata = { ...KEY, labels };
    const type = 'cluster.x-k8s.io/secret';
    await objects.ensure(kinds.secret, { apiVersion: 'v1', kind: 'Secret', type, metadata, data: {} });
    if (KUBEADM) await deleteConfig(objects, KUBEADM, made);
    expect(await objects.get(kinds.secret, KEY)).toBeUndefined();
  });

  it('keeps a Secret of the same name with another owner', async () => {
    expect(await isKept([owner('RKE2Config', 'another')])).toBe(true);
  });
});
