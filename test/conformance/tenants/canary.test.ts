import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { isAtRest } from '../../end-to-end/at-rest.ts';
import { CORE, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { type Poison, poisonsOf } from './poisoned-secrets.ts';

/**
 * A namespace's editor damages every Secret that the code reads, on the whole laptop with the deployed bundles. None of
 * their contents may appear where others can read them: in other objects and their conditions, in events, in inputs,
 * outputs and histories of executions, in logs, or in the output of a dry run. The laptop writes no metrics;
 * functions/step.test.ts checks those.
 */

const CLUSTER = 'quickstart';
const SECRETS = '/api/v1/namespaces/default/secrets';
const DRIFT = 'Windlass-drift';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

let laptop: TestLaptop;

const small = (object: KubeObject): KubeObject => {
  const { spec } = object as { spec?: { replicas?: number } };
  return spec?.replicas === undefined ? object : ({ ...object, spec: { ...spec, replicas: 1 } } as KubeObject);
};

const clusterReady = () =>
  laptop.until('the cluster is available', async () => {
    const cluster = await laptop.cluster(CLUSTER);
    return cluster?.status?.conditions?.some(({ type, status }) => type === 'Available' && status === 'True');
  });

const reference = (apiGroup: string, kind: string, name: string) => ({
  apiGroup: `${apiGroup}.cluster.x-k8s.io`,
  kind,
  name,
});
const version = 'v1.34.0';

const deployment = (name: string, bootstrap: object, template: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineDeployment',
  metadata: { name, namespace: 'default' },
  spec: {
    clusterName: CLUSTER,
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        clusterName: CLUSTER,
        version,
        bootstrap,
        infrastructureRef: reference('infrastructure', 'AWSMachineTemplate', template),
      },
    },
  },
});

/** Objects that cause the code to read Secrets which a cluster alone does not have. */
const READERS: [path: string, object: object][] = [
  [
    '/apis/addons.cluster.x-k8s.io/v1beta2/namespaces/default/clusterresourcesets',
    {
      apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
      kind: 'ClusterResourceSet',
      metadata: { name: 'canary', namespace: 'default' },
      spec: {
        strategy: 'Reconcile',
        clusterSelector: { matchLabels: { canary: 'yes' } },
        resources: [{ kind: 'Secret', name: 'canary-addon' }],
      },
    },
  ],
  [
    '/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/default/kubeadmconfigtemplates',
    {
      apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmConfigTemplate',
      metadata: { name: 'canary', namespace: 'default' },
      spec: {
        template: {
          spec: {
            files: [
              {
                path: '/etc/a',
                contentFormat: 'Template',
                contentFrom: { secret: { name: 'canary-file', key: 'content' } },
              },
            ],
          },
        },
      },
    },
  ],
  [
    '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default/awsmachinetemplates',
    {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSMachineTemplate',
      metadata: { name: 'canary', namespace: 'default' },
      spec: {
        template: {
          spec: {
            instanceType: 't3.large',
            iamInstanceProfile: 'nodes.cluster-api-provider-aws.sigs.k8s.io',
            ignition: {
              version: '3.4',
              storageType: 'UnencryptedUserData',
              proxy: { httpProxy: 'http://proxy.example' },
            },
          },
        },
      },
    },
  ],
  [
    `${CORE}/machinedeployments`,
    deployment(
      'canary-file',
      { configRef: reference('bootstrap', 'KubeadmConfigTemplate', 'canary') },
      'quickstart-md-0',
    ),
  ],
  [`${CORE}/machinedeployments`, deployment('canary-user-data', { dataSecretName: 'canary-user-data' }, 'canary')],
];

/** Reads everything that is readable without permission for Secrets. */
const everything = async (): Promise<Map<string, string>> => {
  const found = new Map<string, string>();
  const groups = ['api/v1', 'apis/cluster.x-k8s.io/v1beta2', 'apis/infrastructure.cluster.x-k8s.io/v1beta2'];
  groups.push('apis/bootstrap.cluster.x-k8s.io/v1beta2', 'apis/controlplane.cluster.x-k8s.io/v1beta2');
  groups.push('apis/addons.cluster.x-k8s.io/v1beta2');
  for (const group of groups) {
    const { resources } = await laptop.api.send<{ resources: { name: string; verbs: string[] }[] }>('GET', `/${group}`);
    const listed = resources.filter(({ name, verbs }) => verbs.includes('list') && !/\/|^secrets$/.test(name));
    for (const { name } of listed) {
      const items = await laptop.list<KubeObject>(`/${group}/${name}`);
      for (const item of items) found.set(`${name} ${item.metadata.name}`, JSON.stringify(item));
    }
  }
  for (const [index, line] of laptop.logs.entries()) found.set(`log line ${index}`, line);
  for (const { arn, ...execution } of laptop.runtime.executions())
    found.set(`execution ${arn}`, JSON.stringify(execution));
  return found;
};

const patch = (path: string, body: object) => laptop.api.send('PATCH', path, body, 'application/merge-patch+json');

/** Triggers a reconciliation and a sweep, and waits until they have handled the current objects. */
const lookAtIt = async (): Promise<void> => {
  const annotations = { canary: String(laptop.runtime.executions().length) };
  await patch(`${CORE}/clusters/${CLUSTER}`, { metadata: { annotations } });
  await laptop.runtime.invoke(DRIFT, {}).catch(() => {});
  const end = Date.now() + 2500;
  while (!isAtRest(laptop) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 100));
};

const put = async ({ secret, data }: Pick<Poison, 'secret' | 'data'>): Promise<void> => {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)]));
  const found = await laptop.get(`${SECRETS}/${secret}`);
  const metadata = { name: secret, namespace: 'default' };
  const type = secret === 'canary-addon' ? 'addons.cluster.x-k8s.io/resource-set' : 'Opaque';
  if (found) await patch(`${SECRETS}/${secret}`, { data: encoded });
  else await laptop.api.send('POST', SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, type, data: encoded });
};

/** The places in which a canary was found, with the text before it. */
const quotes = (found: ReadonlyMap<string, string>, canary: string): string[] =>
  [...found].flatMap(([place, text]) => {
    const at = text.indexOf(canary);
    return at < 0 ? [] : [`${place}: …${text.slice(Math.max(0, at - 120), at + 20)}`];
  });

/** Damages the Secrets of one round, then restores those of the cluster. Returns where canaries were found. */
const poisonWith = async (poisons: readonly Poison[]): Promise<string[]> => {
  const before = await Promise.all(
    poisons.map(({ secret }) => laptop.get<{ data: Record<string, string> }>(`${SECRETS}/${secret}`)),
  );
  for (const poison of poisons) await put(poison);
  await lookAtIt();
  const all = await everything();
  const found = poisons.flatMap(({ canary }) => quotes(all, canary));
  for (const [index, { secret }] of poisons.entries()) {
    if (secret.startsWith(CLUSTER)) await patch(`${SECRETS}/${secret}`, { data: before[index]?.data });
  }
  return found;
};

beforeAll(async () => {
  laptop = await startTestLaptop();
  await laptop.applyFile('examples/quickstart.yaml', small);
  await clusterReady();
  await patch(`${CORE}/clusters/${CLUSTER}`, { metadata: { labels: { canary: 'yes' } } });
  for (const [path, object] of READERS) await laptop.api.send('POST', path, object);
});
afterAll(() => laptop?.stop());

describe('secrets that a tenant has damaged', () => {
  const names = (poisons: readonly Poison[]): string => poisons.map(({ name }) => name).join(', ');

  it.each(poisonsOf(CLUSTER).map((poisons) => [names(poisons), poisons] as const))(
    'are quoted nowhere: %s',
    async (_, poisons) => {
      expect(await poisonWith(poisons)).toEqual([]);
    },
  );
});
