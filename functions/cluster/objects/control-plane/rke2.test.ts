import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { generateAuthority } from '../../../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../../../shared/bootstrap/certificates/keys.ts';
import { type CertificatePurpose, toSecret, toTokenSecret } from '../../../../shared/bootstrap/certificates/secrets.ts';
import { agentTokenOf } from '../../../../shared/bootstrap/rke2/token.ts';
import { kinds, type Secret } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, conditionOf, makeWorld, pass, type World } from '../test-world.ts';

const database = useTestDatabase();

const example = async (): Promise<KubeObject[]> =>
  parseAllDocuments(await readFile('examples/rke2.yaml', 'utf8')).map((document) => {
    const object = document.toJS() as KubeObject;
    return { ...object, metadata: { ...object.metadata, namespace: 'default' } };
  });

/** Provides the authorities as a user would, because ECDSA keys are generated quickly. */
const bringAuthorities = ({ clock, apply }: World) =>
  Promise.all(
    (['ca', 'cca', 'etcd', 'peer-etcd'] as CertificatePurpose[]).map(async (purpose) => {
      const options = { algorithm: 'ECDSA-P256', clock, random: systemRandom, keys: webCryptoKeys } as const;
      await apply(toSecret('rke2', 'default', purpose, await generateAuthority(options)));
    }),
  );

const decode = (text: string | undefined): string => Buffer.from(text ?? '', 'base64').toString('utf8');

it('creates the machines of an RKE2ControlPlane, and a kubeconfig with its two authorities', async () => {
  const w = await makeWorld(database());
  await bringAuthorities(w);
  const input = await beginCluster(w, await example());
  await pass(w, input);

  const list = <T extends KubeObject>(kind: Parameters<typeof w.objects.listOfCluster<T>>[0]) =>
    w.objects.listOfCluster(kind, 'default', 'rke2');
  const machines = await list(kinds.machine);
  expect(new Set(machines.map(({ spec }) => spec.bootstrap.configRef?.kind))).toEqual(new Set(['RKE2Config']));
  expect(await list(kinds.rke2Config)).toHaveLength(5);
  expect(await list(kinds.awsMachine)).toHaveLength(5);

  const secret = async (purpose: string): Promise<Secret['data']> =>
    (await w.objects.get(kinds.secret, { namespace: 'default', name: `rke2-${purpose}` }))?.data ?? {};
  expect(decode((await secret('token'))?.value)).toMatch(/^[0-9a-f]{32}$/);
  const kubeconfig = parse(decode((await secret('kubeconfig'))?.value));
  const client = new X509Certificate(decode(kubeconfig.users[0].user['client-certificate-data']));
  expect(client.verify(new X509Certificate(decode((await secret('cca'))?.['tls.crt'])).publicKey)).toBe(true);
  expect(kubeconfig.clusters[0].cluster['certificate-authority-data']).toBe((await secret('ca'))?.['tls.crt']);

  const owner = await w.objects.get(kinds.rke2ControlPlane, { namespace: 'default', name: 'rke2-control-plane' });
  expect(owner?.metadata.finalizers).toEqual(['rke2.controlplane.cluster.x-k8s.io']);
  expect(owner?.status).toMatchObject({ replicas: 3, availableServerIPs: ['api.example.com'] });
  expect(conditionOf(owner, 'CertificatesAvailable')?.status).toBe('True');
  const controlPlane = machines.filter(({ metadata }) => metadata.name.startsWith('rke2-control-plane'));
  expect(controlPlane.map((machine) => conditionOf(machine, 'UpToDate')?.status)).toEqual(Array(3).fill('True'));
});

describe('the Secret with the token', () => {
  const key = { namespace: 'default', name: 'rke2-token' };
  const agentTokenIn = async (w: World) => decode((await w.objects.get(kinds.secret, key))?.data?.['agent-token']);

  it('names the token of workers from the beginning', async () => {
    const w = await makeWorld(database());
    await bringAuthorities(w);
    await pass(w, await beginCluster(w, await example()));
    const { data } = (await w.objects.get(kinds.secret, key)) ?? {};
    expect(decode(data?.['agent-token'])).toBe(agentTokenOf(decode(data?.value)));
  });

  it("keeps the servers' token for the workers of a cluster that Rancher's provider created", async () => {
    const w = await makeWorld(database());
    await bringAuthorities(w);
    const input = await beginCluster(w, await example());
    const cluster = await w.objects.get(kinds.cluster, { namespace: 'default', name: 'rke2' });
    const secret = toTokenSecret('rke2', 'default', key.name, 'from-rancher') as Secret;
    const { apiVersion = '', kind = '', metadata } = cluster ?? {};
    const controller = { apiVersion, kind, name: 'rke2', uid: metadata?.uid ?? '', controller: true };
    await w.apply({ ...secret, metadata: { ...secret.metadata, ownerReferences: [controller] } });
    await pass(w, input);
    expect(await agentTokenIn(w)).toBe('from-rancher');

    await w.objects.mutate(kinds.secret, key, (current) => ({
      ...current,
      metadata: { ...current.metadata, ownerReferences: [] },
    }));
    await pass(w, input);
    expect(await agentTokenIn(w)).toBe('from-rancher');
  });

  it('is reported if it is too large to be completed', async () => {
    const w = await makeWorld(database());
    await bringAuthorities(w);
    const input = await beginCluster(w, await example());
    const secret = toTokenSecret('rke2', 'default', key.name, 'mine') as Secret;
    const filling = Buffer.alloc(1024 * 1024 - 'mine'.length).toString('base64');
    await w.apply({ ...secret, data: { ...secret.data, filling } } as Secret);
    await pass(w, input);
    const owner = await w.objects.get(kinds.rke2ControlPlane, { namespace: 'default', name: 'rke2-control-plane' });
    expect(conditionOf(owner, 'CertificatesAvailable')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('Secret rke2-token cannot be completed'),
    });
  });

  it('is left alone if it refuses changes', async () => {
    const w = await makeWorld(database());
    await bringAuthorities(w);
    const input = await beginCluster(w, await example());
    await w.apply({ ...toTokenSecret('rke2', 'default', key.name, 'mine'), immutable: true } as Secret);
    await pass(w, input);
    expect(await agentTokenIn(w)).toBe('');
    const owner = await w.objects.get(kinds.rke2ControlPlane, { namespace: 'default', name: 'rke2-control-plane' });
    expect(conditionOf(owner, 'CertificatesAvailable')?.status).toBe('True');
  });
});
