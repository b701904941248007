/** A laptop with two tenants: alice, who has a cluster, and mallory, who may edit only their own namespace. */
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { type Api, ApiError, makeApi } from '../../../infra/cli/api/client.ts';
import { systemClock } from '../../../shared/clock.ts';
import type { AWSMachine, Cluster, Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { conditionOf, renamed, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';

export const VICTIM = 'alice';
export const ATTACKER = 'mallory';
export const CLUSTER = 'quickstart';
/** The name of mallory's own cluster, which has a running control plane. */
export const OWN = 'own';
export const MERGE = 'application/merge-patch+json';

const GROUPS = { core: 'cluster.x-k8s.io', infrastructure: 'infrastructure.cluster.x-k8s.io' };

/** The path of a collection in a namespace, for the group `core`, `infrastructure`, or Kubernetes' own group `v1`. */
export const pathOf = (
  namespace: string,
  plural: string,
  group: keyof typeof GROUPS | 'v1' = 'core',
  version = 'v1beta2',
): string =>
  group === 'v1'
    ? `/api/v1/namespaces/${namespace}/${plural}`
    : `/apis/${GROUPS[group]}/${version}/namespaces/${namespace}/${plural}`;

export interface World {
  laptop: TestLaptop;
  /** The API with mallory's credentials. */
  mallory: Api;
  /** What mallory may know about alice's cluster, because ids are not secret. */
  victim: { machine: Machine; infrastructure: AWSMachine; endpoint: string };
}

/** How the API refuses a request; empty if the request is admitted. */
export const refusalOf = async (request: Promise<unknown>): Promise<string> => {
  try {
    await request;
    return '';
  } catch (error) {
    if (error instanceof ApiError) return `${error.status.code} ${error.message}`;
    throw error;
  }
};

const STS_ROLE = 'arn:aws:iam::000000000000:role/Mallory';

const sessionOf = async ({ access }: TestLaptop): Promise<Api> => {
  const sts = new STSClient({ region: access.region, endpoint: access.awsUrl, credentials: access.credentials });
  const { Credentials } = await sts.send(new AssumeRoleCommand({ RoleArn: STS_ROLE, RoleSessionName: 'mallory' }));
  sts.destroy();
  const { AccessKeyId = '', SecretAccessKey = '', SessionToken } = Credentials ?? {};
  const credentials = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
  return makeApi({ ...access, credentials }, systemClock);
};

/** The quickstart in a namespace, with one machine of each role. */
const inNamespace =
  (namespace: string) =>
  (object: KubeObject): KubeObject => {
    const copy = structuredClone(object) as KubeObject & { spec: { replicas?: number } };
    if (copy.kind === 'KubeadmControlPlane' || copy.kind === 'MachineDeployment') copy.spec.replicas = 1;
    return { ...copy, metadata: { ...copy.metadata, namespace } };
  };

const machinesOf = (laptop: TestLaptop): Promise<Machine[]> => laptop.list<Machine>(pathOf(VICTIM, 'machines'));

const victimOf = async (laptop: TestLaptop): Promise<World['victim']> => {
  const [machine] = (await machinesOf(laptop)).filter(({ metadata }) => metadata.name.includes('md-0'));
  const [infrastructure] = (await laptop.list<AWSMachine>(pathOf(VICTIM, 'awsmachines', 'infrastructure'))).filter(
    ({ metadata }) => metadata.name === machine?.spec.infrastructureRef.name,
  );
  const cluster = await laptop.get<{ spec: { controlPlaneEndpoint?: { host?: string } } }>(
    `${pathOf(VICTIM, 'clusters')}/${CLUSTER}`,
  );
  if (!machine || !infrastructure) throw new Error('alice has no worker');
  return { machine, infrastructure, endpoint: cluster?.spec.controlPlaneEndpoint?.host ?? '' };
};

/** Starts the laptop, gives mallory the role `edit` in their own namespace, and waits for both clusters. */
export const startWorld = async (): Promise<World> => {
  const laptop = await startTestLaptop();
  for (const name of [VICTIM, ATTACKER])
    await laptop.api.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await laptop.api.send('POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${ATTACKER}/rolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'edit', namespace: ATTACKER },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: STS_ROLE }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
  });
  const refusals = await laptop.applyFile('examples/quickstart.yaml', inNamespace(VICTIM));
  const own = (object: KubeObject): KubeObject => inNamespace(ATTACKER)(renamed(OWN)(object));
  refusals.push(...(await laptop.applyFile('examples/quickstart.yaml', own)));
  if (refusals.length > 0) throw new Error(refusals.join('\n'));
  const isUp = async (): Promise<boolean> => {
    const cluster = await laptop.get<Cluster>(`${pathOf(VICTIM, 'clusters')}/${CLUSTER}`);
    const machines = await machinesOf(laptop);
    const infrastructure = await laptop.list<AWSMachine>(pathOf(VICTIM, 'awsmachines', 'infrastructure'));
    // The last change to a new machine: its bootstrap data is deleted after it has joined.
    const isSettled = infrastructure.every(({ spec }) => spec.cloudInit?.secretPrefix === undefined);
    const isComplete = machines.length === 2 && machines.every(isRunning);
    return conditionOf(cluster, 'Available')?.status === 'True' && isComplete && isSettled;
  };
  await laptop.until('the cluster of alice is Available', isUp);
  const hasOwn = async (): Promise<boolean> => {
    const cluster = await laptop.get<Cluster>(`${pathOf(ATTACKER, 'clusters')}/${OWN}`);
    return conditionOf(cluster, 'Available')?.status === 'True';
  };
  await laptop.until('the cluster of mallory is Available', hasOwn);
  return { laptop, mallory: await sessionOf(laptop), victim: await victimOf(laptop) };
};

const isRunning = ({ status }: Machine): boolean => status?.phase === 'Running';
