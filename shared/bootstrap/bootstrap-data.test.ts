import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { renderBootstrapData } from './bootstrap-data.ts';
import { testCertificates } from './certificates/fixtures.ts';
import { publicKeyHash } from './certificates/public-key-hash.ts';
import { dataOf } from './ignition/decode.ts';
import type { BootstrapInput } from './kubeadm/input.ts';
import type { KubeadmConfigSpec } from './kubeadm/spec.ts';
import { resolveReferences } from './references.ts';
import { machineToken, tokenDescription, tokenSeed } from './tokens.ts';

const certificates = await testCertificates();
const cluster = { name: 'demo', endpoint: { host: 'lb.example.com', port: 6443 }, version: 'v1.34.0' };
const token = machineToken(tokenSeed(certificates.ca.privateKeyPem), 'uid-of-demo-2');

type WriteFile = { path: string; permissions?: string; owner?: string; content: string };
const render = (input: BootstrapInput) => {
  const { body } = renderBootstrapData(input);
  const document = parse(body, { version: '1.1' }) as { write_files: WriteFile[]; runcmd: string[] };
  return { body, ...document, file: (path: string) => document.write_files.find((file) => file.path === path) };
};
const init = (spec: KubeadmConfigSpec = {}) =>
  render({
    role: 'init',
    cluster,
    spec,
    certificates,
    tokens: [{ token, description: tokenDescription('demo-2') }],
  });
const worker = (spec: KubeadmConfigSpec = {}) =>
  render({ role: 'worker', cluster, spec, caCertificatePem: certificates.ca.certificatePem, token });

describe('renderBootstrapData', () => {
  it('gives the first control plane machine the keys, and the tokens of the others', () => {
    const { file } = init();

    const at = '/etc/kubernetes/pki';
    expect(file(`${at}/ca.crt`)).toMatchObject({ permissions: '0640', content: certificates.ca.certificatePem });
    expect(file(`${at}/ca.key`)).toMatchObject({ permissions: '0600', content: certificates.ca.privateKeyPem });
    expect(file(`${at}/etcd/ca.crt`)?.content).toBe(certificates.etcd.certificatePem);
    expect(file(`${at}/etcd/ca.key`)?.content).toBe(certificates.etcd.privateKeyPem);
    expect(file(`${at}/front-proxy-ca.key`)?.content).toBe(certificates.proxy.privateKeyPem);
    expect(file(`${at}/sa.pub`)?.content).toBe(certificates.sa.certificatePem);
    expect(file(`${at}/sa.key`)?.content).toBe(certificates.sa.privateKeyPem);
    const documents = parseAllDocuments(file('/run/kubeadm/kubeadm.yaml')?.content ?? '');
    const [configuration, initConfiguration] = documents.map((document) => document.toJS());
    expect(configuration).toMatchObject({ kind: 'ClusterConfiguration', clusterName: 'demo' });
    expect(initConfiguration.bootstrapTokens).toMatchObject([
      { token, description: 'machine demo-2, made by Windlass' },
    ]);
  });

  it('gives a joining control plane machine the keys and its own token', () => {
    const { file, runcmd } = render({ role: 'control-plane', cluster, spec: {}, certificates, token });

    expect(file('/etc/kubernetes/pki/ca.key')?.content).toBe(certificates.ca.privateKeyPem);
    const configuration = parse(file('/run/kubeadm/kubeadm-join-config.yaml')?.content ?? '');
    expect(configuration.controlPlane).toBeDefined();
    expect(configuration.discovery.bootstrapToken.token).toBe(token);
    expect(runcmd.join()).toContain('kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml &&');
  });

  it('gives a worker no key and no certificate, only its token and the hash of the CA', () => {
    const { body, file, write_files } = worker();

    expect(body).not.toMatch(/-----BEGIN/);
    expect(write_files).toHaveLength(3);
    expect(parse(file('/run/kubeadm/kubeadm-join-config.yaml')?.content ?? '').discovery.bootstrapToken).toEqual({
      token,
      apiServerEndpoint: 'lb.example.com:6443',
      caCertHashes: [publicKeyHash(certificates.ca.certificatePem)],
    });
  });

  it("puts the certificates into the user's directory", () => {
    const { file } = init({ clusterConfiguration: { certificatesDir: '/srv/pki' } });

    expect(file('/srv/pki/etcd/ca.crt')?.content).toBe(certificates.etcd.certificatePem);
  });

  it('writes the client certificate of an external etcd, and never the key of its CA', () => {
    const external = {
      endpoints: ['https://etcd:2379'],
      caFile: '/e/ca.crt',
      certFile: '/e/c.crt',
      keyFile: '/e/c.key',
    };
    const spec = { clusterConfiguration: { etcd: { external } } };
    const apiserverEtcdClient = { certificatePem: 'client certificate\n', privateKeyPem: 'client key\n' };

    const { body, file } = render({
      role: 'init',
      cluster,
      spec,
      certificates: { ...certificates, apiserverEtcdClient },
      tokens: [],
    });

    expect(file('/e/ca.crt')?.content).toBe(certificates.etcd.certificatePem);
    expect(file('/e/c.key')?.content).toBe('client key\n');
    expect(body).not.toContain(certificates.etcd.privateKeyPem.split('\n')[1]);
    expect(() => init(spec)).toThrow(/etcd\.external: needs the secret <cluster>-apiserver-etcd-client/);
  });

  it('writes the kubeconfig for file discovery, completed with the endpoint and the CA', () => {
    const exec = { command: 'aws', args: ['get-token'], env: [{ name: 'A', value: 'b' }] };
    const file = { kubeConfigPath: '/run/discovery.conf', kubeConfig: { user: { exec } } };

    const written = worker({ joinConfiguration: { discovery: { file } } }).file('/run/discovery.conf');

    expect(written).toMatchObject({ owner: 'root:root', permissions: '0640' });
    const kubeconfig = parse(written?.content ?? '');
    expect(kubeconfig.clusters[0].cluster).toEqual({
      server: 'https://lb.example.com:6443',
      'certificate-authority-data': Buffer.from(certificates.ca.certificatePem).toString('base64'),
    });
    expect(kubeconfig.users[0].user.exec).toMatchObject({
      ...exec,
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'Never',
    });
  });

  it('renders an Ignition config with the files at the paths that Cluster API uses', () => {
    const input = { cluster, spec: { format: 'ignition' as const, verbosity: 5 } };
    const { body, format } = renderBootstrapData(
      { ...input, role: 'worker', caCertificatePem: certificates.ca.certificatePem, token },
      { ignitionVersion: '3.2' },
    );

    expect(format).toBe('ignition');
    const { ignition, storage, systemd } = JSON.parse(body);
    expect(ignition.version).toBe('3.2.0');
    expect(systemd.units.map(({ name }: { name: string }) => name)).toEqual(['kubeadm.service']);
    const text = (path: string) =>
      dataOf(storage.files.find((file: { path: string }) => file.path === path).contents)?.toString();
    expect(parse(text('/etc/kubeadm.yml') ?? '')).toMatchObject({ kind: 'JoinConfiguration' });
    expect(text('/etc/kubeadm.sh')?.split('\n').slice(2, 6)).toEqual([
      'bash /etc/kubeadm-until-done.sh kubeadm join --config /etc/kubeadm.yml --v 5',
      'mkdir -p /run/cluster-api',
      'echo success > /run/cluster-api/bootstrap-success.complete',
      'mv /etc/kubeadm.yml /tmp/',
    ]);
  });

  it('gives the same text for the same input', () => {
    expect(init().body).toBe(init().body);
  });

  it.each([
    {
      spec: { format: 'ignition' as const, files: [{ path: '/run/a', content: 'x' }] },
      says: /^spec\.files\[0\]\.path: \/run\/a is empty when a machine starts after Ignition/,
    },
    {
      spec: {
        format: 'ignition' as const,
        joinConfiguration: { discovery: { file: { kubeConfigPath: '/run/a', kubeConfig: { user: {} } } } },
      },
      says: /^spec\.joinConfiguration\.discovery\.file\.kubeConfigPath: /,
    },
    {
      spec: {
        files: [
          { path: '/a', content: 'x' },
          { path: '/b', contentFormat: 'Template' as const, content: 'x' },
        ],
      },
      says: /^spec\.files\[1\]\.contentFormat: the template was not rendered/,
    },
    {
      spec: { files: [{ path: '/a', contentFrom: { secret: { name: 's', key: 'k' } } }] },
      says: /^spec\.files\[0\]\.contentFrom: was not resolved/,
    },
    {
      spec: { users: [{ name: 'a', passwdFrom: { secret: { name: 's', key: 'k' } } }] },
      says: /^spec\.users\[0\]\.passwdFrom: was not resolved/,
    },
  ])('names the field that it cannot render: $says', ({ spec, says }) => {
    expect(() => worker(spec)).toThrow(says);
  });
});

describe('resolveReferences', () => {
  const spec: KubeadmConfigSpec = {
    files: [
      { path: '/a', content: 'plain' },
      { path: '/b', contentFrom: { secret: { name: 'files', key: 'b' } } },
    ],
    users: [{ name: 'u', passwdFrom: { secret: { name: 'files', key: 'hash' } } }],
  };
  const secrets: Record<string, Record<string, Uint8Array>> = {
    files: { b: Buffer.from('from a secret'), hash: Buffer.from('$6$') },
  };

  it('fetches contents and passwords, which are then rendered', async () => {
    const resolved = await resolveReferences(spec, async (name) => secrets[name]);

    expect(resolved).toEqual({
      files: [
        { path: '/a', content: 'plain' },
        { path: '/b', content: 'from a secret' },
      ],
      users: [{ name: 'u', passwd: '$6$' }],
    });
    const { file } = render({
      role: 'worker',
      cluster,
      spec,
      ...resolved,
      caCertificatePem: certificates.ca.certificatePem,
      token,
    });
    expect(file('/b')?.content).toBe('from a secret\n');
  });

  it.each([
    { name: 'nothing', key: 'b', says: /files\[0\]\.contentFrom\.secret: there is no secret "nothing"/ },
    { name: 'files', key: 'c', says: /files\[0\]\.contentFrom\.secret: secret "files" has no key "c"/ },
  ])('names the secret and the key that are missing: $name/$key', async ({ name, key, says }) => {
    const missing = { files: [{ path: '/b', contentFrom: { secret: { name, key } } }] };

    const resolving = resolveReferences(missing, async (secret) => secrets[secret]);

    await expect(resolving).rejects.toThrow(says);
    await expect(resolving).rejects.toMatchObject({ name: 'MissingReference' });
  });
});
