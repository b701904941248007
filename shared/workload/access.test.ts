import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { readAccess } from './access.ts';
import { type ClusterPems, kubeconfigFor, makeClusterPems } from './test-server.ts';

const CANARY = 'canary-7f3a';
const endpoint = { host: 'red-apiserver.example.com', port: 6443 };
const DEPLOYED = { loopback: false };

let pems: ClusterPems;
let own: string;
beforeAll(async () => {
  pems = await makeClusterPems();
  own = kubeconfigFor(pems, `https://${endpoint.host}:${endpoint.port}`);
});

const read = (kubeconfig: string, at: { host?: string; port?: number } | undefined = endpoint, reach = DEPLOYED) =>
  readAccess({ kubeconfig, source: 'Secret red-kubeconfig', endpoint: at }, reach);

/** The kubeconfig of the cluster after its tenant has modified it. */
// biome-ignore lint/suspicious/noExplicitAny: a test reaches into any place of it.
const changed = (change: (config: any) => void): string => {
  const config = parse(own);
  change(config);
  return stringify(config);
};

const refusalOf = (kubeconfig: string, ...more: [{ host?: string; port?: number }?]): string => {
  try {
    read(kubeconfig, ...more);
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return 'taken';
};

describe('a kubeconfig of a tenant', () => {
  it('yields server, authority and credentials, and nothing else', () => {
    const access = read(own);
    expect(Object.keys(access).sort()).toEqual(['ca', 'certificate', 'key', 'server']);
    expect(access.server.href).toBe('https://red-apiserver.example.com:6443/');
    expect(access.ca).toBe(pems.ca.certificatePem);
  });

  it('may have a token, also in JSON and with empty fields', () => {
    const text = changed((config) => {
      config.users[0].user = { token: 'abc.def', exec: null };
      config.clusters[0].cluster['insecure-skip-tls-verify'] = false;
      config.preferences = {};
    });
    expect(read(JSON.stringify(parse(text)))).toMatchObject({ token: 'abc.def' });
  });

  it('is refused for its length before it is parsed', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `k${index},`).join('');
    expect(refusalOf(`{${keys}}`)).toBe(
      'KubeconfigRefused: has more than 65536 characters: keep only what this cluster needs',
    );
  });

  it.each([
    ['exec', { command: `/tmp/${CANARY}`, apiVersion: 'client.authentication.k8s.io/v1' }],
    ['auth-provider', { name: 'gcp', config: { 'cmd-path': CANARY } }],
    ['client-certificate', `/proc/self/${CANARY}`],
    ['client-key', `/proc/self/${CANARY}`],
    ['tokenFile', `/proc/self/${CANARY}`],
    ['username', CANARY],
    ['password', CANARY],
    ['as', CANARY],
    ['as-uid', CANARY],
    ['as-groups', [CANARY]],
    ['as-user-extra', { [CANARY]: [CANARY] }],
  ])('is refused with the name of the field users[0].user.%s', (field, value) => {
    const problem = refusalOf(changed((config) => Object.assign(config.users[0].user, { [field]: value })));
    expect(problem).toContain(`KubeconfigRefused: users[0].user.${field} `);
    expect(problem).not.toContain(CANARY);
  });

  it.each([
    ['certificate-authority', `/etc/${CANARY}`],
    ['insecure-skip-tls-verify', true],
    ['proxy-url', `http://${CANARY}:3128`],
    ['tls-server-name', CANARY],
  ])('is refused with the name of the field clusters[0].cluster.%s', (field, value) => {
    const problem = refusalOf(changed((config) => Object.assign(config.clusters[0].cluster, { [field]: value })));
    expect(problem).toContain(`KubeconfigRefused: clusters[0].cluster.${field} `);
    expect(problem).not.toContain(CANARY);
  });

  it.each(['clusters', 'users', 'contexts'])('is refused with a second entry in %s', (list) => {
    expect(refusalOf(changed((config) => config[list].push(config[list][0])))).toBe(
      `KubeconfigRefused: ${list} has to have exactly one entry: keep only that of this cluster`,
    );
  });

  it('is refused if its context refers to something else', () => {
    expect(refusalOf(changed((config) => (config['current-context'] = 'other')))).toContain('current-context has to');
    expect(refusalOf(changed((config) => (config.contexts[0].context.user = 'other')))).toContain('current-context');
  });

  it.each([
    ['http://red-apiserver.example.com:6443', 'has to begin with https://'],
    [
      'https://attacker.example.com:6443',
      "is not the cluster's endpoint: set it to https://red-apiserver.example.com:6443",
    ],
    ['https://red-apiserver.example.com:6444', "is not the cluster's endpoint"],
    ['https://red-apiserver.example.com:6443/k8s/clusters/local', 'https://HOST:PORT and nothing more'],
    ['https://user@red-apiserver.example.com:6443', 'https://HOST:PORT and nothing more'],
    [CANARY, 'is not a URL'],
  ])('is refused with the server %s', (server, why) => {
    const problem = refusalOf(changed((config) => (config.clusters[0].cluster.server = server)));
    expect(problem).toContain('KubeconfigRefused: clusters[0].cluster.server ');
    expect(problem).toContain(why);
  });

  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.8.9.10', 'loopback'],
    ['2130706433', 'loopback'],
    ['0x7f.1', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['0.0.0.0', 'special'],
    ['::', 'special'],
    ['::7f00:1', 'special'],
    ['169.254.169.254', 'metadata'],
    ['169.254.170.2', 'metadata'],
    ['::ffff:169.254.169.254', 'metadata'],
    ['::ffff:a9fe:a9fe', 'metadata'],
    ['64:ff9b::a9fe:a9fe', 'metadata'],
    ['fe80::1', 'link-local'],
    ['fd00:ec2::254', 'metadata'],
    ['2002:7f00:1::1', 'special'],
    ['224.0.0.1', 'special'],
    ['255.255.255.255', 'special'],
    ['ff02::1', 'special'],
  ])('is refused if Cluster and kubeconfig have the address %s', (host, why) => {
    const at = { host, port: 6443 };
    const server = `https://${host.includes(':') ? `[${host}]` : host}:6443`;
    const problem = refusalOf(
      changed((config) => (config.clusters[0].cluster.server = server)),
      at,
    );
    expect(problem).toContain('KubeconfigRefused: clusters[0].cluster.server is a ');
    expect(problem).toContain(why);
  });

  it.each(['10.0.0.7', '203.0.113.9', '100.64.0.1', 'fd12:3456::1', '2600:1f18::1', '64:ff9b::a00:7'])(
    'may lead to %s',
    (host) => {
      const url = `https://${host.includes(':') ? `[${host}]` : host}:6443`;
      expect(
        refusalOf(
          changed((config) => (config.clusters[0].cluster.server = url)),
          { host, port: 6443 },
        ),
      ).toBe('taken');
    },
  );

  it('may lead to loopback on the laptop, and to nothing else that is special', () => {
    const at = (host: string) => ({ host, port: 6443 });
    const to = (host: string) => changed((config) => (config.clusters[0].cluster.server = `https://${host}:6443`));
    expect(read(to('127.1.2.3'), at('127.1.2.3'), { loopback: true }).server.hostname).toBe('127.1.2.3');
    expect(() => read(to('169.254.169.254'), at('169.254.169.254'), { loopback: true })).toThrow('metadata');
  });

  it('is refused while the Cluster has no endpoint', () => {
    expect(refusalOf(own, {})).toContain('spec.controlPlaneEndpoint of the Cluster is not set');
  });
});

describe('a damaged part of a kubeconfig', () => {
  const set = (field: string, value: string) => changed((config) => (config.users[0].user[field] = value));
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  it.each([
    ['no YAML', () => `clusters: [${CANARY}`],
    ['another type', () => CANARY],
    ['an unknown alias', () => `clusters: *${CANARY}`],
    ['an unknown tag', () => `clusters: !<${CANARY}> x`],
    ['a duplicate key', () => `${CANARY}: 1\n${CANARY}: 2`],
    ['an unknown field', () => changed((config) => (config.users[0].user[CANARY] = 'x'))],
    ['an unknown field with the value', () => changed((config) => (config.users[0].user.secret = CANARY))],
    ['a list for the token', () => changed((config) => (config.users[0].user.token = [CANARY]))],
    ['a token of several lines', () => changed((config) => (config.users[0].user.token = `a\r\nx: ${CANARY}`))],
    ['a key that is no base64', () => set('client-key-data', `%${CANARY}`)],
    ['a key that is no PEM', () => set('client-key-data', base64(CANARY))],
    ['a certificate that is no PEM', () => set('client-certificate-data', base64(CANARY))],
    ['another key', () => set('client-key-data', base64(pems.ca.privateKeyPem))],
    [
      'an authority that is not PEM',
      () => changed((config) => (config.clusters[0].cluster['certificate-authority-data'] = base64(CANARY))),
    ],
    ['another kind', () => changed((config) => (config.kind = CANARY))],
  ])('is named without being quoted: %s', (_, make) => {
    const problem = refusalOf(make());
    expect(problem).toMatch(/^KubeconfigRefused: \S/);
    expect(problem).not.toContain(CANARY);
    expect(problem).not.toContain('PRIVATE KEY');
  });
});
