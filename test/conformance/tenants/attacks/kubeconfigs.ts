/**
 * Kubeconfigs that replace that of a cluster. The functions must not follow instructions that a client would follow.
 */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster } from '../../../../shared/kinds/index.ts';
import type { Attack } from '../attack.ts';
import { ATTACKER, MERGE, OWN, pathOf, type World } from '../world.ts';

const MARK = join(mkdtempSync(join(tmpdir(), 'windlass-tenants-')), 'executed');

const kubeconfig = (cluster: object, user: object): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
  });

const exec = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: '/bin/sh',
  args: [
    '-c',
    `env > ${MARK}; echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t"}}'`,
  ],
  interactiveMode: 'Never',
};

const SECRET = `${pathOf(ATTACKER, 'secrets', 'v1')}/${OWN}-kubeconfig`;
const PATH = `${pathOf(ATTACKER, 'clusters')}/${OWN}`;

/** Changes the Cluster, which triggers a reconciliation. Resolves when the reconciliation has ended. */
const pass = async ({ laptop, mallory }: World, label: string): Promise<void> => {
  const passes = () => laptop.runtime.executions().filter(({ name }) => name.startsWith(uid));
  const { metadata } = await mallory.send<Cluster>('GET', PATH);
  const uid = metadata.uid ?? '';
  const before = new Set(passes().map(({ name }) => name));
  await mallory.send('PATCH', PATH, { metadata: { labels: { again: label } } }, MERGE);
  await laptop.until('a pass has looked at the cluster', async () =>
    passes().some(({ name, status }) => !before.has(name) && status === 'SUCCEEDED'),
  );
};

/** Replaces the kubeconfig of mallory's own cluster until a reconciliation and a sweep have read it. */
const connects = async (world: World, text: string): Promise<void> => {
  const { laptop, mallory } = world;
  const secret = await mallory.send<{ data: { value: string } }>('GET', SECRET);
  const put = (value: string) => mallory.send('PATCH', SECRET, { data: { value } }, MERGE);
  await put(Buffer.from(text).toString('base64'));
  await pass(world, String(Buffer.byteLength(text)));
  await laptop.runtime.invoke('Windlass-drift', {});
  await put(secret.data.value);
  await pass(world, 'restored');
};

const attack = (what: string, cluster: object, user: object): Attack => ({
  what: `supplies a kubeconfig ${what}`,
  harmless: async (world) => {
    const server = `https://${world.victim.endpoint}:6443`;
    await connects(world, kubeconfig({ server, ...cluster }, user));
    if (existsSync(MARK)) throw new Error('a command of the kubeconfig was executed');
  },
});

export const KUBECONFIGS: readonly Attack[] = [
  attack('that runs a command', {}, { exec }),
  attack(
    'of a cloud provider',
    {},
    { 'auth-provider': { name: 'gcp', config: { 'cmd-path': '/bin/sh', 'cmd-args': exec.args.join(' ') } } },
  ),
  attack(
    'that names files of the function',
    { 'certificate-authority': '/etc/passwd' },
    { tokenFile: '/proc/self/environ' },
  ),
  attack('that leads to the metadata service', { server: 'http://169.254.169.254/latest' }, { token: 't' }),
  attack('with a proxy', { 'proxy-url': 'http://127.0.0.1:9' }, { token: 't' }),
  {
    what: 'supplies a kubeconfig that is not YAML',
    harmless: (world) => connects(world, '{{{: no yaml'),
  },
];
