/** For tests: a Machine in a namespace with Hosts, and computers that answer as the agent does, without SSH. */
import { type Host, KINDS, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { HOSTS_FINALIZER } from '../../../shared/providers/hosts/names.ts';
import { systemRandom } from '../../../shared/random.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { type TokenSecret, type WorkloadClient, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import type { HostsDependencies } from './dependencies.ts';
import type { HostAddress, RunOnHost } from './ssh/connect.ts';
import { HostError } from './ssh/host-error.ts';
import { makeHostsSteps } from './steps.ts';

const GROUP = 'infrastructure.windlass.dev';
export const CONTEXT = { log: { info() {}, warn() {}, error() {}, with: () => CONTEXT.log } } as never as Parameters<
  ReturnType<typeof makeHostsSteps>['launchInstance']
>[1];

/** Stands for one computer. */
export interface FakeHost {
  owner: string;
  hasKubelet: boolean;
  hostname: string;
  state: string;
  words: string;
  payload: string;
  /** How often a boot script was started. */
  started: number;
  trouble?: HostError;
  /** The result of each reset. */
  resets: string[];
}

export const newHost = (): FakeHost => ({
  ...{ owner: '', hasKubelet: false, hostname: 'node', state: 'none', words: '', payload: '', started: 0 },
  resets: [],
});

const answerOf = (host: FakeHost, verb: string, uid: string, input: string): Record<string, string> => {
  const isForeign = host.owner !== '' && host.owner !== uid;
  if (verb === 'check')
    return { owner: host.owner, kubelet: host.hasKubelet ? 'yes' : 'no', hostname: host.hostname, address: '' };
  if (isForeign) return { state: 'foreign' };
  if (verb === 'reset') {
    const state = host.owner === '' ? 'free' : (host.resets.shift() ?? 'free');
    if (state === 'free') Object.assign(host, { ...newHost(), hostname: host.hostname });
    return { state, words: Buffer.from(host.words).toString('base64') };
  }
  if (verb === 'start' && host.state === 'none')
    Object.assign(host, { owner: uid, payload: input, state: 'running', started: 1 });
  return { state: host.state, words: Buffer.from(host.words).toString('base64') };
};

/** Runs commands on these computers, which are found by their addresses. */
export const runOn =
  (computers: ReadonlyMap<string, FakeHost>): RunOnHost =>
  async ({ address }: HostAddress, command, input) => {
    const host = computers.get(address);
    if (!host) throw new HostError('Unreachable', `${address} is no computer`);
    if (host.trouble) throw host.trouble;
    const [, verb = '', uid = ''] = / windlass (\w+) '([^']*)'/.exec(command) ?? [];
    const lines = Object.entries(answerOf(host, verb, uid, input));
    return lines.map(([key, value]) => `windlass:${key}=${value}\n`).join('');
  };

const object = (apiVersion: string, kind: string, name: string, parts: object): KubeObject =>
  ({
    apiVersion,
    kind,
    metadata: { name, namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'red' } },
    ...parts,
  }) as KubeObject;

const ensure = (objects: ObjectClient, wanted: KubeObject): Promise<KubeObject> => {
  const kind = KINDS.find((one) => one.kind === wanted.kind);
  if (!kind) throw new Error(`no kind ${wanted.kind}`);
  return objects.ensure(kind, wanted).then((ensured) => ensured.object);
};

/** A Host as a user creates it. */
export const hostObject = (name: string, spec: Partial<Host['spec']> = {}): KubeObject => {
  const hostKey = `ssh-ed25519 ${'A'.repeat(68)}`;
  const { labels: _, ...metadata } = object('', '', name, {}).metadata;
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'Host',
    metadata,
    spec: { address: name, port: 22, user: 'root', hostKey, secretRef: { name: 'key' }, ...spec },
  } as KubeObject;
};

const machineObjects = (name: string, data: string): KubeObject[] => [
  object('v1', 'Secret', name, { data: { value: Buffer.from(data).toString('base64') } }),
  object('cluster.x-k8s.io/v1beta2', 'Machine', name, {
    spec: {
      clusterName: 'red',
      bootstrap: { dataSecretName: name },
      infrastructureRef: { apiGroup: GROUP, kind: 'HostMachine', name },
    },
  }),
];

const DATA = `#cloud-config
write_files:
  - {path: /etc/a file, content: hello, permissions: '0600'}
runcmd:
  - echo done > /run/cluster-api/bootstrap-success.complete
`;

/** A namespace with Hosts. `run` replaces the computers without SSH. */
export const makeHostWorld = async (options: { run?: RunOnHost; privateKey?: string } = {}) => {
  /** Bootstrap tokens that were created in the cluster; while this is undefined, its API server does not answer. */
  const created: { tokens: TokenSecret[] | undefined } = { tokens: undefined };
  const workload = {
    bootstrapTokenExpiry: async () => undefined,
    putBootstrapToken: async (secret: TokenSecret) => {
      if (!created.tokens) throw new WorkloadUnreachableError('connect ECONNREFUSED');
      created.tokens.push(secret);
    },
    close: async () => {},
  } as Partial<WorkloadClient> as WorkloadClient;
  const clock = testClock('2026-01-01T00:00:00Z');
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  const objects = createObjectClient(registry);
  const computers = new Map<string, FakeHost>();
  const deps: HostsDependencies = {
    objects,
    clock,
    work: { extendMachine: async () => true, recordRemoval: async () => true },
    run: options.run ?? runOn(computers),
    connect: () => workload,
  };
  const key = Buffer.from(options.privateKey ?? 'key').toString('base64');
  await ensure(objects, object('v1', 'Secret', 'key', { data: { 'ssh-privatekey': key } }));
  const cluster = await ensure(
    objects,
    object('cluster.x-k8s.io/v1beta2', 'Cluster', 'red', {
      spec: { infrastructureRef: { apiGroup: GROUP, kind: 'HostCluster', name: 'red' } },
    }),
  );
  await ensure(objects, object(`${GROUP}/v1alpha1`, 'HostCluster', 'red', { spec: {} }));
  const at = (name: string) => ({ namespace: 'default', name });
  return {
    objects,
    deps,
    clock,
    computers,
    created,
    cluster: { cluster: { ...at('red'), uid: cluster.metadata.uid ?? '' }, wanted: 1, holder: 'test' },
    steps: (by: Partial<HostsDependencies> = {}) => makeHostsSteps({ ...deps, ...by }),
    addHost: async (name: string, spec: Partial<Host['spec']> = {}): Promise<FakeHost> => {
      const computer = newHost();
      computers.set(spec.address ?? name, computer);
      await ensure(objects, hostObject(name, spec));
      return computer;
    },
    addMachine: async (
      name: string,
      { data = DATA, spec = {} }: { data?: string; spec?: object } = {},
    ): Promise<MachineInput> => {
      const [, machine] = await Promise.all(machineObjects(name, data).map((one) => ensure(objects, one)));
      const made = object(`${GROUP}/v1alpha1`, 'HostMachine', name, { spec });
      made.metadata.finalizers = [HOSTS_FINALIZER.machine];
      await ensure(objects, made);
      const uid = machine?.metadata.uid ?? '';
      return {
        machine: { ...at(name), uid, clusterName: 'red', clusterUid: cluster.metadata.uid ?? '' },
        holder: 'test',
      };
    },
    host: (name: string) => objects.get(kinds.host, at(name)),
    machine: (name: string) => objects.get(kinds.hostMachine, at(name)),
    reasons: async () => (await objects.list(kinds.event, 'default')).map(({ reason }) => reason).sort(),
  };
};
