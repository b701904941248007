import { createHmac, X509Certificate } from 'node:crypto';
import { CoreV1Api, KubeConfig, type V1Node } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { readKubeadms } from '../../../infra/cli/conformance/kubeadm.ts';
import { freePorts } from '../../../infra/cli/conformance/processes.ts';
import {
  type ClusterCertificates,
  generateClusterCertificates,
} from '../../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { issueKubeconfig } from '../../../shared/bootstrap/certificates/kubeconfig.ts';
import type { KubeadmConfigSpec } from '../../../shared/bootstrap/kubeadm/spec.ts';
import {
  bootstrapTokenSecret,
  machineToken,
  parseToken,
  TOKEN_TTL_SECONDS,
  tokenDescription,
  tokenSecretName,
  tokenSeed,
} from '../../../shared/bootstrap/tokens.ts';
import { systemClock } from '../../../shared/clock.ts';
import { findNode } from '../../../shared/plan/machines/node.ts';
import { systemRandom } from '../../../shared/random.ts';
import { ANSWER_MILLISECONDS, LIMIT, PATIENCE } from '../../../shared/test-patience.ts';
import type { WorkloadClient } from '../../../shared/workload/client.ts';
import { makeConnectWorkload } from '../../../shared/workload/connect.ts';
import { targetOf } from '../../../shared/workload/test-target.ts';
import { makeRootFolder, type RootFolder } from './root-folder.ts';
import { onLoopback, type StaticPods, startStaticPods } from './static-pods.ts';

/**
 * Tests the first control plane machine as far as possible without a container runtime: kubeadm processes the generated
 * files, a real etcd and a real kube-apiserver run with its configuration, and Windlass makes its calls to that
 * cluster. Needs WINDLASS_KUBEADM and KUBEBUILDER_ASSETS, which `npm run conformance` sets.
 */
const newest = readKubeadms(process.env.WINDLASS_KUBEADM).at(-1);
const assets = process.env.KUBEBUILDER_ASSETS ?? '';
const dependencies = { clock: systemClock, random: systemRandom, keys: webCryptoKeys };
const INIT = ['--config', '/run/kubeadm/kubeadm.yaml'];
const JOIN = ['--config', '/run/kubeadm/kubeadm-join-config.yaml', '--ignore-preflight-errors=all'];

const skips = (!newest || !assets) && process.env.CI !== 'true';

// The tests run in order.
describe.skipIf(skips)('the first control plane machine', { timeout: LIMIT }, () => {
  let certificates: ClusterCertificates;
  let kubeconfig: string;
  let machine: RootFolder;
  let worker: RootFolder;
  let pods: StaticPods;
  let client: WorkloadClient;
  let api: CoreV1Api;
  let token: string;

  beforeAll(async () => {
    const [port = 0, etcd = 0, peers = 0, metrics = 0] = await freePorts(4);
    const { version, path } = newest ?? { version: '', path: '' };
    const cluster = { name: 'demo', endpoint: { host: '127.0.0.1', port }, version: `v${version}` };
    certificates = await generateClusterCertificates({ ...dependencies, algorithm: 'ECDSA-P256' });
    token = machineToken(tokenSeed(certificates.ca.privateKeyPem), 'uid-of-the-worker');
    const tokens = [{ token, description: tokenDescription('worker') }];
    const spec = onLoopback({ api: port, etcd, peers, metrics });
    machine = makeRootFolder(path, { role: 'init', cluster, spec, certificates, tokens });
    const caCertificatePem = certificates.ca.certificatePem;
    worker = makeRootFolder(path, { role: 'worker', cluster, spec: {}, caCertificatePem, token });
    const server = `https://127.0.0.1:${port}`;
    kubeconfig = await issueKubeconfig({ clusterName: 'demo', server, ca: certificates.ca }, dependencies);
    client = makeConnectWorkload({
      deadline: () => AbortSignal.timeout(ANSWER_MILLISECONDS),
      reach: { loopback: true },
    })(targetOf(kubeconfig));
    const configuration = new KubeConfig();
    configuration.loadFromString(kubeconfig);
    api = configuration.makeApiClient(CoreV1Api);
  });
  afterAll(async () => {
    await client?.close();
    await pods?.stop();
    machine?.dispose();
    worker?.dispose();
  }, LIMIT);

  it('has certificates of Windlass’s authorities, which kubeadm does not change', () => {
    machine.kubeadm('init', 'phase', 'certs', 'all', ...INIT);

    const at = (name: string) => new X509Certificate(machine.read(`/etc/kubernetes/pki/${name}.crt`));
    const [ca, etcd, proxy] = ['ca', 'etcd/ca', 'front-proxy-ca'].map(at);
    expect(ca?.toString()).toBe(certificates.ca.certificatePem);
    for (const [name, issuer] of [
      ['apiserver', ca],
      ['apiserver-kubelet-client', ca],
      ['etcd/server', etcd],
      ['apiserver-etcd-client', etcd],
      ['front-proxy-client', proxy],
    ] as const) {
      expect([name, issuer && at(name).verify(issuer.publicKey)]).toEqual([name, true]);
    }
    expect(machine.read('/etc/kubernetes/pki/sa.key')).toBe(certificates.sa.privateKeyPem);
  });

  it('runs etcd and the API server as configured by kubeadm, and accepts Windlass’s kubeconfig', async () => {
    for (const phase of [
      ['kubeconfig', 'all'],
      ['etcd', 'local'],
      ['control-plane', 'all'],
    ]) {
      machine.kubeadm('init', 'phase', ...phase, ...INIT);
    }
    pods = startStaticPods(machine, assets, ['etcd', 'kube-apiserver']);

    await vi
      .waitFor(() => api.readNamespace({ name: 'kube-system' }), PATIENCE)
      .catch((error: unknown) => {
        throw new Error(`the API server does not answer:\n${pods.words('kube-apiserver')}`, { cause: error });
      });
    expect(await client.nodes()).toEqual([]);
    expect(await client.hasSystemObject({ kind: 'ConfigMap', name: 'kubeadm-config' })).toBe(false);
  });

  it('has a node that Windlass finds and labels, and the tokens of the machines that are to join', async () => {
    // Registers the node as a kubelet would.
    const providerID = 'aws:///eu-central-1a/i-0123456789abcdef0';
    await api.createNode({ body: { metadata: { name: 'one' }, spec: { providerID } } });
    machine.kubeadm('init', 'phase', 'upload-config', 'all', ...INIT);
    const before = systemClock.now().getTime();
    machine.kubeadm('init', 'phase', 'bootstrap-token', ...INIT);
    const after = systemClock.now().getTime();

    expect(await client.hasSystemObject({ kind: 'ConfigMap', name: 'kubeadm-config' })).toBe(true);
    const [node] = await client.nodes();
    expect(findNode([node as V1Node], providerID)?.metadata?.name).toBe('one');
    await client.patchNode('one', { labels: { 'node.cluster.x-k8s.io/a': 'b' }, taints: [] });
    expect((await client.nodes())[0]?.metadata?.labels).toMatchObject({ 'node.cluster.x-k8s.io/a': 'b' });
    const born = (await expiry()) - TOKEN_TTL_SECONDS * 1000;
    // The expiry is in whole seconds.
    expect(born).toBeGreaterThan(before - 1_000);
    expect(born).toBeLessThanOrEqual(after);
  });

  it('has tokens whose validity Windlass extends', async () => {
    const expiration = new Date(systemClock.now().getTime() + 2 * TOKEN_TTL_SECONDS * 1000);
    await client.putBootstrapToken(
      bootstrapTokenSecret(token, { expiration, description: tokenDescription('worker') }),
    );
    expect(await expiry()).toBe(Math.floor(expiration.getTime() / 1000) * 1000);
  });

  it('is discovered by a worker, with its own token and the hash of the authority', async () => {
    await signClusterInfo();

    const said = worker.kubeadm('join', 'phase', 'preflight', ...JOIN);

    expect(said).toContain('Reading configuration from the "kubeadm-config" ConfigMap');
  });

  it('lets another control plane machine prepare its files for joining', () => {
    const { version, path } = newest ?? { version: '', path: '' };
    const cluster = { name: 'demo', endpoint: endpointOf(kubeconfig), version: `v${version}` };
    const nodeRegistration = { name: 'two' };
    const controlPlane = { localAPIEndpoint: { advertiseAddress: '10.0.0.2', bindPort: 6443 } };
    const spec: KubeadmConfigSpec = { joinConfiguration: { nodeRegistration, controlPlane } };
    const reports = { url: 'https://api.example.com/k8s/hooks/changes/u-1', token: 'x', reported: ['Nodes'] } as const;
    const second = makeRootFolder(path, { role: 'control-plane', cluster, spec, certificates, token, reports });
    const config = JOIN.slice(0, 2);

    second.kubeadm('join', 'phase', 'control-plane-prepare', 'all', ...config);

    const certificate = new X509Certificate(second.read('/etc/kubernetes/pki/apiserver.crt'));
    const ca = new X509Certificate(certificates.ca.certificatePem);
    expect([certificate.verify(ca.publicKey), certificate.subjectAltName]).toEqual([
      true,
      expect.stringContaining('IP Address:10.0.0.2'),
    ]);
    const manifest = second.read('/etc/kubernetes/manifests/kube-apiserver.yaml');
    expect(manifest).toContain('--advertise-address=10.0.0.2');
    // The setting comes from this machine's own files: the first machine, whose configuration kubeadm has read, reports
    // nothing.
    expect(manifest).toContain('--audit-webhook-config-file=/etc/kubernetes/windlass/webhook.kubeconfig');
    second.dispose();
  });

  it('is refused by a worker that expects another authority', async () => {
    const other = await generateClusterCertificates({ ...dependencies, algorithm: 'ECDSA-P256' });
    const { version, path } = newest ?? { version: '', path: '' };
    const cluster = { name: 'demo', endpoint: endpointOf(kubeconfig), version: `v${version}` };
    const spec: KubeadmConfigSpec = { joinConfiguration: { timeouts: { discoverySeconds: 2 } } };
    const input = { role: 'worker', cluster, spec, caCertificatePem: other.ca.certificatePem, token } as const;
    const misled = makeRootFolder(path, input);
    expect(() => misled.kubeadm('join', 'phase', 'preflight', ...JOIN)).toThrow(
      /cluster CA found in cluster-info ConfigMap is invalid/,
    );
    misled.dispose();
  });

  it('has tokens that Windlass finds by their kind, and revokes', async () => {
    expect(await client.bootstrapTokens()).toEqual([
      { name: tokenSecretName(token), description: tokenDescription('worker') },
    ]);
    await client.deleteBootstrapToken(tokenSecretName(token));
    expect(await client.bootstrapTokens()).toEqual([]);
    const timeouts = { discoverySeconds: 2, kubernetesAPICallSeconds: 2 };
    const spec: KubeadmConfigSpec = { joinConfiguration: { timeouts } };
    const cluster = { name: 'demo', endpoint: endpointOf(kubeconfig), version: `v${newest?.version}` };
    const caCertificatePem = certificates.ca.certificatePem;
    const late = makeRootFolder(newest?.path ?? '', { role: 'worker', cluster, spec, caCertificatePem, token });
    // The API server caches authenticated users for ten seconds.
    const isRefused = () =>
      expect(() => late.kubeadm('join', 'phase', 'preflight', ...JOIN)).toThrow(/Unauthorized|not authorized/i);
    await vi.waitFor(isRefused, { ...PATIENCE, interval: 2000 });
    late.dispose();
  });

  /** The expiry of the token, in milliseconds since 1970. */
  const expiry = async (): Promise<number> => {
    const found = await client.bootstrapTokenExpiry(`bootstrap-token-${parseToken(token, 'token').id}`);
    return found?.getTime() ?? 0;
  };

  /**
   * Signs the kubeconfig as the controller manager would, which does not run here: with a detached JWS whose key is the
   * token's secret.
   */
  const signClusterInfo = async (): Promise<void> => {
    const place = { name: 'cluster-info', namespace: 'kube-public' };
    const { data = {}, ...rest } = await api.readNamespacedConfigMap(place);
    const { id, secret } = parseToken(token, 'token');
    const encode = (text: string): string => Buffer.from(text).toString('base64url');
    const header = encode(JSON.stringify({ alg: 'HS256', kid: id }));
    const signed = `${header}.${encode(data.kubeconfig ?? '')}`;
    const signature = createHmac('sha256', secret).update(signed).digest('base64url');
    const body = { ...rest, data: { ...data, [`jws-kubeconfig-${id}`]: `${header}..${signature}` } };
    await api.replaceNamespacedConfigMap({ ...place, body });
  };
});

const endpointOf = (kubeconfig: string): { host: string; port: number } => {
  const { hostname, port } = new URL(parse(kubeconfig).clusters[0].cluster.server);
  return { host: hostname, port: Number(port) };
};
