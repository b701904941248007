/** Kubeconfigs in place of the one that belongs to a cluster: what a client would do with them, the functions must not. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster } from '../../../../shared/kinds/index.ts';
import { conditionOf } from '../../../end-to-end/laptop.ts';
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

const probeOf = async ({ laptop }: World): Promise<string | undefined> =>
  conditionOf(await laptop.get<Cluster>(PATH), 'RemoteConnectionProbe')?.status;

/** Puts a kubeconfig in the place of that of mallory's own cluster, until a pass and a sweep have met it. */
const connects = async (world: World, text: string): Promise<void> => {
  const { laptop, mallory } = world;
  const secret = await mallory.send<{ data: { value: string } }>('GET', SECRET);
  const put = (value: string) => mallory.send('PATCH', SECRET, { data: { value } }, MERGE);
  await put(Buffer.from(text).toString('base64'));
  await mallory.send('PATCH', PATH, { metadata: { labels: { again: String(Buffer.byteLength(text)) } } }, MERGE);
  await laptop.until('the functions could not connect', async () => (await probeOf(world)) === 'False');
  await laptop.runtime.invoke('Windlass-drift', {});
  await put(secret.data.value);
  await mallory.send('PATCH', PATH, { metadata: { labels: { again: 'restored' } } }, MERGE);
  await laptop.until('the functions connect again', async () => (await probeOf(world)) === 'True');
};

const attack = (what: string, cluster: object, user: object): Attack => ({
  what: `brings a kubeconfig ${what}`,
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
    what: 'brings a kubeconfig that is no YAML',
    harmless: (world) => connects(world, '{{{: no yaml'),
  },
];
