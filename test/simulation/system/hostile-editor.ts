/** An editor of another namespace who attacks the cluster of the lifecycle with objects of that namespace. */
import type { Account } from '../../../infra/local/account.ts';
import { CLUSTER } from './user.ts';
import type { Answer, Identity, World } from './world.ts';

const NAMESPACE = 'hostile';
const EDITOR: Identity = { userName: 'mallory', groups: [] };

const CORE = 'cluster.x-k8s.io/v1beta2';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/v1beta2';
const RBAC = 'rbac.authorization.k8s.io';

/** How long the objects exist: several passes and a sweep see them. */
const WHILE_MILLISECONDS = 360_000;
const LOOK_MILLISECONDS = 10_000;
const TRIES = 20;

const PLACES = {
  [CORE]: `/apis/${CORE}/namespaces/${NAMESPACE}`,
  [INFRASTRUCTURE]: `/apis/${INFRASTRUCTURE}/namespaces/${NAMESPACE}`,
  v1: `/api/v1/namespaces/${NAMESPACE}`,
} as const;

interface Forgery {
  plural: string;
  object: { apiVersion: keyof typeof PLACES; kind: string; metadata: { name: string; [key: string]: unknown } };
}

interface Victim {
  uid: string;
  vpcId: string;
  subnetIds: readonly string[];
  loadBalancer: string;
}

const NOTHING = 'vpc-00000000000000000';

/** Ids of resources are no secret. */
const victimOf = (account: Account, uid: string): Victim => {
  const ec2 = account.ec2();
  const owned = ec2.vpcs.all().find(({ tags }) => [...tags.values()].includes('owned'));
  const subnets = ec2.subnets.all().filter(({ vpcId }) => vpcId === owned?.id);
  const [loadBalancer] = account.elbv2().loadBalancers.values();
  return {
    uid,
    vpcId: owned?.id ?? NOTHING,
    subnetIds: subnets.map(({ id }) => id),
    loadBalancer: loadBalancer?.name ?? 'any',
  };
};

/** A cluster in the network of the victim; of the same name, so that only the namespace tells them apart. */
const clusterIn = ({ vpcId, subnetIds }: Victim, name: string, loadBalancer: object): Forgery[] => [
  {
    plural: 'awsclusters',
    object: {
      ...{ apiVersion: INFRASTRUCTURE, kind: 'AWSCluster', metadata: { name } },
      ...{ spec: { network: { vpc: { id: vpcId }, subnets: subnetIds.map((id) => ({ id })) }, ...loadBalancer } },
    },
  },
  {
    plural: 'clusters',
    object: {
      ...{
        apiVersion: CORE,
        kind: 'Cluster',
        metadata: { name, labels: { 'cluster.x-k8s.io/cluster-name': CLUSTER } },
      },
      ...{ spec: { infrastructureRef: { apiGroup: INFRASTRUCTURE.split('/')[0], kind: 'AWSCluster', name } } },
    },
  },
];

/** Objects that claim the machines, the Secrets and the health of the victim. */
const claims = ({ uid }: Victim): Forgery[] => {
  const ownerReferences = [{ apiVersion: CORE, kind: 'Cluster', name: CLUSTER, uid, controller: true }];
  const labels = { 'cluster.x-k8s.io/cluster-name': CLUSTER };
  const matchLabels = labels;
  const template = {
    metadata: { labels },
    spec: {
      clusterName: CLUSTER,
      bootstrap: { dataSecretName: 'none' },
      infrastructureRef: { apiGroup: INFRASTRUCTURE.split('/')[0], kind: 'AWSMachineTemplate', name: 'none' },
    },
  };
  const secret = (suffix: string, text: string): Forgery => {
    const data = { value: Buffer.from(text).toString('base64'), 'tls.crt': '', 'tls.key': '' };
    const metadata = { name: `${CLUSTER}-${suffix}`, labels, ownerReferences };
    return { plural: 'secrets', object: { apiVersion: 'v1', kind: 'Secret', metadata, ...{ data } } };
  };
  return [
    secret('kubeconfig', 'apiVersion: v1\nkind: Config\n'),
    secret('ca', ''),
    {
      plural: 'machinesets',
      object: {
        ...{ apiVersion: CORE, kind: 'MachineSet', metadata: { name: 'claim', labels, ownerReferences } },
        ...{ spec: { clusterName: CLUSTER, replicas: 0, selector: { matchLabels }, template } },
      },
    },
    {
      plural: 'machinehealthchecks',
      object: {
        ...{ apiVersion: CORE, kind: 'MachineHealthCheck', metadata: { name: 'claim', ownerReferences } },
        ...{
          spec: {
            ...{ clusterName: CLUSTER, selector: { matchLabels } },
            checks: { nodeStartupTimeoutSeconds: 30 },
          },
        },
      },
    },
  ];
};

const forgeriesFor = (victim: Victim): Forgery[] => [
  ...claims(victim),
  ...clusterIn(victim, CLUSTER, { controlPlaneLoadBalancer: { loadBalancerType: 'nlb', name: victim.loadBalancer } }),
  ...clusterIn(victim, 'beside', {}),
];

export interface HostileOptions {
  world: World;
  /** The uid of the cluster that is attacked. */
  uid: string;
  wait(milliseconds: number): Promise<void>;
}

/** Repeats a request while the API fails. Throws if it fails for too long. */
const asking = ({ world, wait }: HostileOptions) => {
  return async (method: string, path: string, body?: object, as?: Identity): Promise<Answer> => {
    for (let tries = 1; ; tries += 1) {
      const answer = await world.ask(method, path, body, undefined, as);
      if (answer.code < 500 && answer.code !== 429) return answer;
      if (tries === TRIES) throw new Error(`${method} ${path}: ${answer.code}`);
      await wait(LOOK_MILLISECONDS);
    }
  };
};

const letIn = async (ask: ReturnType<typeof asking>): Promise<void> => {
  await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await ask('POST', `/apis/${RBAC}/v1/namespaces/${NAMESPACE}/rolebindings`, {
    ...{ apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata: { name: 'edit' } },
    subjects: [{ apiGroup: RBAC, kind: 'User', name: EDITOR.userName }],
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'edit' },
  });
};

/**
 * Creates the objects as the editor, and removes them after some minutes. Resolves when nothing is left of them, and
 * throws if the API admits none of them: then nothing was attacked.
 */
export const attack = async (options: HostileOptions): Promise<void> => {
  const { world, uid, wait } = options;
  const ask = asking(options);
  await letIn(ask);
  const forgeries = forgeriesFor(victimOf(world.laptop.account, uid));
  let admitted = 0;
  for (const { plural, object } of forgeries) {
    const { code } = await ask('POST', `${PLACES[object.apiVersion]}/${plural}`, object, EDITOR);
    if (code < 300) admitted += 1;
  }
  if (admitted === 0) throw new Error('the API has refused every object of the hostile editor');
  await wait(WHILE_MILLISECONDS);
  for (const { plural, object } of forgeries.toReversed())
    await ask('DELETE', `${PLACES[object.apiVersion]}/${plural}/${object.metadata.name}`, undefined, EDITOR);
  for (const { plural, object } of forgeries) {
    const path = `${PLACES[object.apiVersion]}/${plural}/${object.metadata.name}`;
    while ((await ask('GET', path)).code !== 404) await wait(LOOK_MILLISECONDS);
  }
  await ask('DELETE', `/api/v1/namespaces/${NAMESPACE}`);
};
