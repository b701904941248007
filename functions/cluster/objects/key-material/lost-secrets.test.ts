import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../../shared/kinds/index.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, conditionOf, makeWorld, pass, type World } from '../test-world.ts';

const database = useTestDatabase();

const key = (name: string) => ({ namespace: 'default', name: `quickstart-${name}` });
const OWNER = key('control-plane');

describe('a deleted Secret of a running cluster', () => {
  let w: World;
  let input: ConvergeInput;
  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await pass(w, input);
    await w.objects.mutate(kinds.kubeadmControlPlane, OWNER, (current) => ({
      ...current,
      status: { ...current.status, initialization: { controlPlaneInitialized: true } } as typeof current.status,
    }));
  });

  it('is recreated if it is the kubeconfig', async () => {
    const before = await w.objects.get(kinds.secret, key('kubeconfig'));
    await w.objects.delete(kinds.secret, key('kubeconfig'));
    await pass(w, input);
    const after = await w.objects.get(kinds.secret, key('kubeconfig'));
    expect(after?.data?.value).toBeDefined();
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
  });

  it('is reported as missing if it is an authority, and is used again once it is restored', async () => {
    const before = await w.objects.get(kinds.secret, key('ca'));
    if (!before) throw new Error('there is no authority');
    await w.objects.delete(kinds.secret, key('ca'));
    await pass(w, input);
    expect(await w.objects.get(kinds.secret, key('ca'))).toBeUndefined();
    const owner = () => w.objects.get(kinds.kubeadmControlPlane, OWNER);
    expect(conditionOf(await owner(), 'CertificatesAvailable')).toMatchObject({
      status: 'False',
      message:
        '* Secret quickstart-ca does not exist; it is not recreated because machines trust the lost one: restore it',
    });

    const { namespace, name, labels } = before.metadata;
    await w.objects.ensure(kinds.secret, { ...before, metadata: { namespace, name, labels } });
    await pass(w, input);
    expect(conditionOf(await owner(), 'CertificatesAvailable')?.status).toBe('True');
  });
});
