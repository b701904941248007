import { CoreV1Api, KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { readKubeadms } from '../../../infra/cli/conformance/kubeadm.ts';
import { freePorts } from '../../../infra/cli/conformance/processes.ts';
import { generateClusterCertificates } from '../../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { issueKubeconfig } from '../../../shared/bootstrap/certificates/kubeconfig.ts';
import type { KubeadmConfigSpec } from '../../../shared/bootstrap/kubeadm/spec.ts';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';
import { LIMIT, PATIENCE } from '../../../shared/test-patience.ts';
import { certificates as anyCertificates } from './cases.ts';
import { type Receiver, startReceiver } from './change-receiver.ts';
import { makeRootFolder, type RootFolder } from './root-folder.ts';
import { onLoopback, type StaticPods, startStaticPods } from './static-pods.ts';

/**
 * Tests the API server of a machine that reports changes. kubeadm writes the manifest, a real kube-apiserver runs with
 * its arguments, and a server receives the reports and gives the answers that a test sets. Needs WINDLASS_KUBEADM and
 * KUBEBUILDER_ASSETS, which `npm run conformance` sets.
 */
const kubeadms = readKubeadms(process.env.WINDLASS_KUBEADM);
const newest = kubeadms.at(-1);
const assets = process.env.KUBEBUILDER_ASSETS ?? '';
const skips = (!newest || !assets) && process.env.CI !== 'true';
const dependencies = { clock: systemClock, random: systemRandom, keys: webCryptoKeys };

const TOKEN = 'abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE';
const PATH = '/k8s/hooks/changes/0b1c3d5e-0000-4000-8000-000000000001';
const MANIFEST = '/etc/kubernetes/manifests/kube-apiserver.yaml';
const CONFIG = ['--config', '/run/kubeadm/kubeadm.yaml'];
const POLICY = '/etc/kubernetes/windlass/audit-policy.yaml';

const reportsTo = (port: number) => ({
  url: `https://127.0.0.1:${port}${PATH}`,
  token: TOKEN,
  reported: ['Services', 'Nodes'] as const,
});

const service = (name: string) => ({ metadata: { name }, spec: { ports: [{ port: 80 }] } });

describe.skipIf(skips)('the manifest of an API server that reports changes', () => {
  const patched: KubeadmConfigSpec = {
    initConfiguration: { patches: { directory: '/etc/patches' } },
    files: [{ path: '/etc/patches/kube-apiserver0+merge.yaml', content: 'metadata: {annotations: {of: user}}\n' }],
  };

  it.each(
    kubeadms.flatMap((program) => [
      { ...program, title: 'none', spec: {} },
      { ...program, title: 'some', spec: patched },
    ]),
  )('is written by kubeadm $version, with $title patches of the user', ({ version, path, spec }) => {
    const cluster = { name: 'demo', endpoint: { host: '127.0.0.1', port: 6443 }, version: `v${version}` };
    const input = { role: 'init', cluster, spec, certificates: anyCertificates, tokens: [] } as const;
    const machine = makeRootFolder(path, { ...input, reports: reportsTo(1) });
    try {
      expect(machine.kubeadm('config', 'validate', ...CONFIG)).toMatch(/^ok$/m);
      machine.kubeadm('init', 'phase', 'control-plane', 'apiserver', ...CONFIG);
      const { metadata, spec: pod } = parse(machine.read(MANIFEST));
      const [{ command, volumeMounts }] = pod.containers;
      expect(command).toContain(`--audit-policy-file=${POLICY}`);
      expect(volumeMounts.at(-1)).toEqual({ name: 'windlass', mountPath: '/etc/kubernetes/windlass', readOnly: true });
      expect(pod.volumes.at(-1)).toEqual({
        name: 'windlass',
        hostPath: { path: '/etc/kubernetes/windlass', type: 'Directory' },
      });
      expect(metadata.annotations?.of).toBe(spec === patched ? 'user' : undefined);
    } finally {
      machine.dispose();
    }
  });
});

// The tests share one API server.
describe.skipIf(skips)('a kube-apiserver that reports changes', { timeout: LIMIT }, () => {
  let receiver: Receiver;
  let machine: RootFolder;
  let pods: StaticPods;
  let api: CoreV1Api;

  const eventsOf = (): string[] => receiver.received.flatMap(({ events }) => events);
  const arrives = (event: string) => vi.waitFor(() => expect(eventsOf()).toContain(event), PATIENCE);

  beforeAll(async () => {
    receiver = await startReceiver();
    const [port = 0, etcd = 0, peers = 0, metrics = 0] = await freePorts(4);
    const { version, path } = newest ?? { version: '', path: '' };
    const cluster = { name: 'demo', endpoint: { host: '127.0.0.1', port }, version: `v${version}` };
    const certificates = await generateClusterCertificates({ ...dependencies, algorithm: 'ECDSA-P256' });
    const spec = onLoopback({ api: port, etcd, peers, metrics });
    const input = { role: 'init', cluster, spec, certificates, tokens: [] } as const;
    machine = makeRootFolder(path, { ...input, reports: reportsTo(receiver.port) });
    for (const phase of [
      ['certs', 'all'],
      ['kubeconfig', 'all'],
      ['etcd', 'local'],
      ['control-plane', 'all'],
    ])
      machine.kubeadm('init', 'phase', ...phase, ...CONFIG);
    pods = startStaticPods(machine, assets, ['etcd', 'kube-apiserver'], { SSL_CERT_FILE: receiver.caFile });
    const server = `https://127.0.0.1:${port}`;
    const config = new KubeConfig();
    config.loadFromString(await issueKubeconfig({ clusterName: 'demo', server, ca: certificates.ca }, dependencies));
    api = config.makeApiClient(CoreV1Api);
    await vi
      // The server creates this Service itself, once it can allocate addresses.
      .waitFor(() => api.readNamespacedService({ namespace: 'default', name: 'kubernetes' }), PATIENCE)
      .catch((error: unknown) => {
        throw new Error(`the API server does not answer:\n${pods.words('kube-apiserver')}`, { cause: error });
      });
  }, LIMIT);
  afterAll(async () => {
    await pods?.stop();
    machine?.dispose();
    await receiver?.close();
  }, LIMIT);
  afterEach(() => receiver.answer({ status: 200 }));

  it('reports a new Service to the address of its cluster, with the token and without its content', async () => {
    const { metadata, spec } = service('web');
    const body = {
      metadata: { ...metadata, annotations: { note: 's3cret' } },
      spec: { ...spec, externalName: 's3cret' },
    };
    await api.createNamespacedService({ namespace: 'default', body });

    await arrives('create services/web');
    expect(receiver.received.map((one) => one.body).join()).not.toContain('s3cret');
    expect(receiver.received.at(-1)).toMatchObject({ method: 'POST', authorization: `Bearer ${TOKEN}` });
    expect(receiver.received.at(-1)?.path?.split('?')[0]).toBe(PATH);
  });

  it('reports nodes that users change, but no heartbeats, leases, reads or other objects', async () => {
    await api.createNode({ body: { metadata: { name: 'one' } } });
    await arrives('create nodes/one');
    const patch = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
    const status = { status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: new Date() }] } };
    await api.patchNodeStatus({ name: 'one', body: status }, patch);
    await api.listNode();
    await api.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'other' } } });
    await api.patchNode({ name: 'one', body: { metadata: { labels: { a: 'b' } } } }, patch);

    await arrives('patch nodes/one');
    // Meanwhile the API server itself renews a lease and writes other objects.
    const others = eventsOf().filter((event) => !/^\w+ (services|nodes)(\/[^/]+)?$/.test(event));
    expect(others).toEqual([]);
  });

  it('repeats a report to which the receiver answered with 429', async () => {
    receiver.answer({ status: 429, headers: { 'retry-after': '1' } });
    const before = receiver.received.length;
    await api.createNamespacedService({ namespace: 'default', body: service('put-off') });
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(before + 1), PATIENCE);
    receiver.answer({ status: 200 });
    const repeated = receiver.received.length;

    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(repeated), PATIENCE);
    expect(receiver.received.at(-1)?.events).toContain('create services/put-off');
  });

  it.each([
    ['never answers', undefined],
    ['refuses every report', { status: 401 }],
    ['fails', { status: 500 }],
  ])('serves as before while the receiver %s', async (_, answer) => {
    receiver.answer(answer);
    const begun = Date.now();
    // These are more events than the buffer holds.
    for (let index = 0; index < 100; index += 1)
      await api.createNamespacedService({ namespace: 'default', body: service(`s-${index}`) });
    for (let index = 0; index < 100; index += 1)
      await api.deleteNamespacedService({ namespace: 'default', name: `s-${index}` });

    // If requests waited for the reports, a single one would take as long as the receiver's timeout: 30 seconds.
    expect((Date.now() - begun) / 200).toBeLessThan(1000);
    expect((await api.listNamespacedService({ namespace: 'default' })).items.length).toBeGreaterThan(0);
  });

  it('serves as before when nothing listens, even after a restart', async () => {
    await receiver.close();
    await api.createNamespacedService({ namespace: 'default', body: service('alone') });
    await pods.stop();
    pods = startStaticPods(machine, assets, ['etcd', 'kube-apiserver'], { SSL_CERT_FILE: receiver.caFile });

    await vi.waitFor(() => api.readNamespacedService({ namespace: 'default', name: 'alone' }), PATIENCE);
  });
});
