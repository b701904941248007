import { spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { readKubeadms } from '../../../infra/cli/conformance/kubeadm.ts';
import { freePorts } from '../../../infra/cli/conformance/processes.ts';
import type { EncryptionAlgorithm } from '../../../shared/bootstrap/certificates/algorithms.ts';
import { generateClusterCertificates } from '../../../shared/bootstrap/certificates/authority.ts';
import type { PemPair } from '../../../shared/bootstrap/certificates/keys.ts';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { issueKubeconfig } from '../../../shared/bootstrap/certificates/kubeconfig.ts';
import { fromSecret, toSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import type { KubeadmConfigSpec } from '../../../shared/bootstrap/kubeadm/spec.ts';
import { systemClock } from '../../../shared/clock.ts';
import { certificatesExpiry } from '../../../shared/distributions/kubeadm/certificates-expiry.ts';
import type { KubeadmConfig } from '../../../shared/kinds/index.ts';
import { systemRandom } from '../../../shared/random.ts';
import { ANSWER_MILLISECONDS, LIMIT, PATIENCE } from '../../../shared/test-patience.ts';
import { makeConnectWorkload } from '../../../shared/workload/connect.ts';
import { targetOf } from '../../../shared/workload/test-target.ts';
import { makeRootFolder, type RootFolder } from './root-folder.ts';
import { onLoopback, startStaticPods } from './static-pods.ts';

/**
 * Tests authorities of every algorithm, and authorities that users provide, with kubeadm, openssl, etcd and
 * kube-apiserver. Needs openssl and everything that control-plane.test.ts needs.
 */
const kubeadms = readKubeadms(process.env.WINDLASS_KUBEADM);
const newest = kubeadms.at(-1) ?? { version: '', path: '' };
const assets = process.env.KUBEBUILDER_ASSETS ?? '';
const skips = (kubeadms.length === 0 || !assets) && process.env.CI !== 'true';
const dependencies = { clock: systemClock, random: systemRandom, keys: webCryptoKeys };
const ALGORITHMS: EncryptionAlgorithm[] = ['RSA-2048', 'RSA-3072', 'RSA-4096', 'ECDSA-P256', 'ECDSA-P384'];
const INIT = ['--config', '/run/kubeadm/kubeadm.yaml'];
const PKI = '/etc/kubernetes/pki';
const LEAVES = {
  ca: ['apiserver', 'apiserver-kubelet-client'],
  'etcd/ca': ['etcd/server', 'etcd/peer', 'etcd/healthcheck-client', 'apiserver-etcd-client'],
  'front-proxy-ca': ['front-proxy-client'],
};
const DAY = 24 * 60 * 60 * 1000;

const openssl = (...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
};

const cluster = (version: string, port = 6443) => ({
  name: 'demo',
  endpoint: { host: '127.0.0.1', port },
  version: `v${version}`,
});

const keyOf = (algorithm: EncryptionAlgorithm) =>
  algorithm.startsWith('RSA')
    ? { modulusLength: Number(algorithm.slice(4)) }
    : { namedCurve: algorithm === 'ECDSA-P256' ? 'prime256v1' : 'secp384r1' };

const at = (machine: RootFolder, name: string) => new X509Certificate(machine.read(`${PKI}/${name}.crt`));

/** All certificates that kubeadm has issued, after openssl has verified each against its authority. */
const verifiedLeaves = (machine: RootFolder): X509Certificate[] =>
  Object.entries(LEAVES).flatMap(([authority, names]) =>
    names.map((name) => {
      const path = (file: string) => join(machine.directory, PKI, `${file}.crt`);
      expect(openssl('verify', '-CAfile', path(authority), path(name))).toContain('OK');
      return at(machine, name);
    }),
  );

/** How many seconds the derived expiry of a machine's certificates is before the real expiry of each. */
const earliness = (launchedAt: Date, clusterConfiguration: string, leaves: X509Certificate[]): number[] => {
  const expiry = certificatesExpiry({
    config: { metadata: { name: 'm' } } as KubeadmConfig,
    decidedAt: launchedAt.toISOString(),
    stored: { ClusterConfiguration: clusterConfiguration },
  });
  return leaves.map((leaf) => (leaf.validToDate.getTime() - (expiry?.getTime() ?? Number.NaN)) / 1000);
};

const clusterConfigurationOf = (machine: RootFolder): string =>
  machine
    .read('/run/kubeadm/kubeadm.yaml')
    .split(/^---$/m)
    .find((document) => /^kind: ClusterConfiguration$/m.test(document)) ?? '';

describe.skipIf(skips)('certificates', { timeout: LIMIT }, () => {
  it.each(ALGORITHMS)('of %s are kept by kubeadm, which issues its own with the same algorithm', async (algorithm) => {
    const certificates = await generateClusterCertificates({ ...dependencies, algorithm });
    const spec: KubeadmConfigSpec = {
      clusterConfiguration: { encryptionAlgorithm: algorithm, certificateValidityPeriodDays: 90 },
    };
    const launchedAt = new Date(Math.floor(Date.now() / 1000) * 1000);
    const machine = makeRootFolder(newest.path, {
      role: 'init',
      cluster: cluster(newest.version),
      spec,
      certificates,
      tokens: [],
    });
    machine.kubeadm('init', 'phase', 'certs', 'all', ...INIT);

    expect(machine.read(`${PKI}/ca.crt`)).toBe(certificates.ca.certificatePem);
    expect(machine.read(`${PKI}/ca.key`)).toBe(certificates.ca.privateKeyPem);
    expect(at(machine, 'ca').publicKey.asymmetricKeyDetails).toMatchObject(keyOf(algorithm));
    const leaves = verifiedLeaves(machine);
    for (const leaf of leaves) expect(leaf.publicKey.asymmetricKeyDetails).toMatchObject(keyOf(algorithm));
    for (const seconds of earliness(launchedAt, clusterConfigurationOf(machine), leaves)) {
      expect(seconds).toBeGreaterThanOrEqual(0);
      expect(seconds).toBeLessThan(600);
    }
    machine.dispose();
  });

  it.each(kubeadms)(
    'expire with kubeadm $version not before the derived time, and soon after',
    async ({ version, path }) => {
      const certificates = await generateClusterCertificates({ ...dependencies, algorithm: 'ECDSA-P256' });
      const launchedAt = new Date(Math.floor(Date.now() / 1000) * 1000);
      const machine = makeRootFolder(path, {
        role: 'init',
        cluster: cluster(version),
        spec: {},
        certificates,
        tokens: [],
      });
      machine.kubeadm('init', 'phase', 'certs', 'all', ...INIT);

      const leaves = verifiedLeaves(machine);
      expect(Math.round((leaves[0]?.validToDate.getTime() ?? 0) / DAY - launchedAt.getTime() / DAY)).toBe(365);
      for (const seconds of earliness(launchedAt, clusterConfigurationOf(machine), leaves)) {
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(seconds).toBeLessThan(600);
      }
      machine.dispose();
    },
  );
});

describe.skipIf(skips)('users’ own authorities', { timeout: LIMIT }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-authorities-'));
  const file = (name: string): string => join(directory, name);
  const read = (name: string): string => readFileSync(file(name), 'utf8');
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const authority = (key: string[], name: string, ...more: string[]): PemPair => {
    openssl(...key, '-out', file(`${name}.key`));
    const ca = ['-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=critical,keyCertSign,cRLSign'];
    openssl(
      'req',
      '-x509',
      '-new',
      '-key',
      file(`${name}.key`),
      '-days',
      '30',
      '-subj',
      `/CN=${name}`,
      ...ca,
      ...more,
      '-out',
      file(`${name}.crt`),
    );
    return { certificatePem: read(`${name}.crt`), privateKeyPem: read(`${name}.key`) };
  };
  const pkcs8 = (algorithm: string, option: string) => ['genpkey', '-algorithm', algorithm, '-pkeyopt', option];
  /** An intermediate authority. Clients trust the bundle of it and its root. */
  const chain = (): PemPair => {
    const root = authority(pkcs8('EC', 'ec_paramgen_curve:P-256'), 'root');
    openssl(...pkcs8('EC', 'ec_paramgen_curve:P-256'), '-out', file('middle.key'));
    openssl('req', '-new', '-key', file('middle.key'), '-subj', '/CN=middle', '-out', file('middle.csr'));
    writeFileSync(file('extensions'), 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n');
    const by = ['-CA', file('root.crt'), '-CAkey', file('root.key'), '-CAcreateserial', '-days', '20'];
    openssl(
      'x509',
      '-req',
      '-in',
      file('middle.csr'),
      ...by,
      '-extfile',
      file('extensions'),
      '-out',
      file('middle.crt'),
    );
    return { certificatePem: `${read('middle.crt')}${root.certificatePem}`, privateKeyPem: read('middle.key') };
  };

  it.each<{ form: string; make: () => PemPair; header: string }>([
    {
      form: 'RSA in PKCS #8',
      make: () => authority(pkcs8('RSA', 'rsa_keygen_bits:2048'), 'rsa'),
      header: 'PRIVATE KEY',
    },
    { form: 'an authority below another one', make: chain, header: 'PRIVATE KEY' },
    {
      form: 'ECDSA P-384 in PKCS #8',
      make: () => authority(pkcs8('EC', 'ec_paramgen_curve:P-384'), 'ec'),
      header: 'PRIVATE KEY',
    },
    {
      form: 'ECDSA P-521 in SEC 1 behind its parameters',
      make: () => authority(['ecparam', '-name', 'secp521r1', '-genkey'], 'sec1'),
      header: 'EC PARAMETERS',
    },
  ])('are used unchanged: $form', async ({ make, header }) => {
    const ca = make();
    expect(ca.privateKeyPem).toContain(`BEGIN ${header}`);
    const own = await generateClusterCertificates({ ...dependencies, algorithm: 'ECDSA-P256' });
    const kept = fromSecret(toSecret('demo', 'default', 'ca', ca), { purpose: 'ca', now: systemClock.now() });
    const certificates = { ...own, ca: kept };
    const machine = makeRootFolder(newest.path, {
      role: 'init',
      cluster: cluster(newest.version),
      spec: {},
      certificates,
      tokens: [],
    });
    machine.kubeadm('init', 'phase', 'certs', 'all', ...INIT);

    expect(machine.read(`${PKI}/ca.crt`)).toBe(ca.certificatePem);
    expect(machine.read(`${PKI}/ca.key`)).toBe(ca.privateKeyPem);
    verifiedLeaves(machine);
    const kubeconfig = await issueKubeconfig({ clusterName: 'demo', server: 'https://a', ca: kept }, dependencies);
    const config = new KubeConfig();
    config.loadFromString(kubeconfig);
    const client = new X509Certificate(Buffer.from(config.getCurrentUser()?.certData ?? '', 'base64'));
    expect(client.verify(new X509Certificate(ca.certificatePem).publicKey)).toBe(true);
    expect(
      client.checkPrivateKey(createPrivateKey(Buffer.from(config.getCurrentUser()?.keyData ?? '', 'base64'))),
    ).toBe(true);
    machine.dispose();
  });
});

describe.skipIf(skips)('a control plane with certificates', { timeout: LIMIT }, () => {
  it.each<EncryptionAlgorithm>(['RSA-3072', 'ECDSA-P384'])(
    'of %s runs, accepts our kubeconfig of the same algorithm, and reports when the certificates expire',
    async (algorithm) => {
      const [port = 0, etcd = 0, peers = 0, metrics = 0] = await freePorts(4);
      const certificates = await generateClusterCertificates({ ...dependencies, algorithm });
      const loopback = onLoopback({ api: port, etcd, peers, metrics });
      const clusterConfiguration = {
        ...loopback.clusterConfiguration,
        encryptionAlgorithm: algorithm,
        certificateValidityPeriodDays: 30,
      };
      const launchedAt = new Date(Math.floor(Date.now() / 1000) * 1000);
      const machine = makeRootFolder(newest.path, {
        role: 'init',
        cluster: cluster(newest.version, port),
        spec: { ...loopback, clusterConfiguration },
        certificates,
        tokens: [],
      });
      for (const phase of ['certs', 'kubeconfig', 'control-plane']) {
        machine.kubeadm('init', 'phase', phase, 'all', ...INIT);
      }
      machine.kubeadm('init', 'phase', 'etcd', 'local', ...INIT);
      const pods = startStaticPods(machine, assets, ['etcd', 'kube-apiserver']);
      const server = `https://127.0.0.1:${port}`;
      const text = await issueKubeconfig({ clusterName: 'demo', server, ca: certificates.ca, algorithm }, dependencies);
      const client = makeConnectWorkload({
        deadline: () => AbortSignal.timeout(ANSWER_MILLISECONDS),
        reach: { loopback: true },
      })(targetOf(text));
      try {
        await vi.waitFor(() => client.hasSystemObject({ kind: 'ConfigMap', name: 'none' }), PATIENCE);
        machine.kubeadm('init', 'phase', 'upload-config', 'kubeadm', ...INIT);
        const stored = (await client.systemConfigMap('kubeadm-config'))?.ClusterConfiguration ?? '';
        for (const seconds of earliness(launchedAt, stored, verifiedLeaves(machine))) {
          expect(seconds).toBeGreaterThanOrEqual(0);
          expect(seconds).toBeLessThan(600);
        }
      } finally {
        await client.close();
        await pods.stop();
        machine.dispose();
      }
    },
  );
});
