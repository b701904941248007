/**
 * A part of the lifecycle of one cluster. Stories run concurrently, and each causes calls to AWS that no other story
 * causes.
 */
import type { AWSCluster, Cluster, Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { CORE, INFRASTRUCTURE } from '../../../end-to-end/laptop.ts';
import type { RecordedLaptop } from '../recording.ts';

export interface Story {
  /** A word or two about what happens, which is also the name of the cluster. */
  name: string;
  run(laptop: RecordedLaptop): Promise<void>;
}

export const MERGE = 'application/merge-patch+json';
export const SECRETS = '/api/v1/namespaces/default/secrets';

type Spec = Partial<AWSCluster['spec']>;

const manifestsOf = (name: string, spec: Spec, annotations: Record<string, string>): KubeObject[] => [
  {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: { name, namespace: 'default', annotations },
    spec: {
      region: 'us-east-1',
      sshKeyName: '',
      controlPlaneLoadBalancer: { loadBalancerType: 'nlb', healthCheckProtocol: 'HTTPS' },
      ...spec,
      network: { ...spec.network, vpc: { availabilityZoneUsageLimit: 1, ...spec.network?.vpc } },
    },
  } as KubeObject,
  {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name, namespace: 'default' },
    spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name } },
  } as KubeObject,
];

const PLACES: Readonly<Record<string, string>> = {
  AWSCluster: `${INFRASTRUCTURE}/awsclusters`,
  Cluster: `${CORE}/clusters`,
};

export const awsClusterOf = async (laptop: RecordedLaptop, name: string): Promise<AWSCluster> => {
  const found = await laptop.get<AWSCluster>(`${PLACES.AWSCluster}/${name}`);
  if (!found) throw new Error(`there is no AWSCluster ${name}`);
  return found;
};

/** The conditions that are not True, for the message of a timeout. */
const complaints = (object: AWSCluster | Cluster | undefined): string =>
  (object?.status?.conditions ?? [])
    .filter(({ status }) => status !== 'True')
    .map(({ type, reason, message }) => `${type}: ${reason}: ${message}`)
    .join('\n');

const withComplaints = async (laptop: RecordedLaptop, name: string, wait: Promise<unknown>): Promise<void> => {
  try {
    await wait;
  } catch (cause) {
    const found = await laptop.get<AWSCluster>(`${PLACES.AWSCluster}/${name}`);
    throw new Error(`${name}: ${String(cause)}\n${complaints(found)}`, { cause });
  }
};

const isReady = async (laptop: RecordedLaptop, name: string): Promise<boolean> => {
  const { status } = await awsClusterOf(laptop, name);
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
};

/** Waits for `look`, and reports the conditions of the AWSCluster if it fails. */
export const until = (
  laptop: RecordedLaptop,
  name: string,
  what: string,
  look: () => Promise<boolean>,
): Promise<void> => withComplaints(laptop, name, laptop.until(what, look));

/** Creates a cluster that has infrastructure but no machines. */
export const makeInfrastructure = async (
  laptop: RecordedLaptop,
  name: string,
  spec: Spec,
  annotations: Record<string, string> = {},
): Promise<void> => {
  for (const manifest of manifestsOf(name, spec, annotations))
    await laptop.api.send('POST', PLACES[manifest.kind] ?? '', manifest);
  await until(laptop, name, 'the infrastructure is ready', () => isReady(laptop, name));
};

/** Changes the cluster's AWSCluster like `kubectl patch --type merge`. */
export const patchAwsCluster = (laptop: RecordedLaptop, name: string, patch: object): Promise<unknown> =>
  laptop.api.send('PATCH', `${PLACES.AWSCluster}/${name}`, patch, MERGE);

/** Deletes the cluster and waits until it is gone. */
export const remove = async (laptop: RecordedLaptop, name: string): Promise<void> => {
  await laptop.api.send('DELETE', `${PLACES.Cluster}/${name}`);
  await until(laptop, name, 'the cluster is gone', async () => (await laptop.cluster(name)) === undefined);
};

export const isRunning = ({ status }: Machine): boolean => status?.phase === 'Running';

/** The state of a machine, with the end of its console output. */
const storyOf = (laptop: RecordedLaptop, { metadata, spec, status }: Machine): string => {
  const console = laptop.console(spec.providerID?.split('/').at(-1) ?? '').slice(-5);
  return [`${metadata.name} is ${status?.phase}`, ...console].join('\n  ');
};

/** Waits until the cluster has this many machines and all of them are running. Reports their states if it fails. */
export const runs = async (laptop: RecordedLaptop, name: string, machines: number): Promise<void> => {
  let found: Machine[] = [];
  const look = async (): Promise<boolean> => {
    found = await laptop.machines(name);
    return found.length === machines && found.every(isRunning);
  };
  await laptop.until(`${name} runs with ${machines} machines`, look).catch((cause) => {
    throw new Error(found.map((one) => storyOf(laptop, one)).join('\n'), { cause });
  });
};

/** Applies a file whose objects are changed with `change`. Rejects if an object is refused. */
export const applyAll = async (
  laptop: RecordedLaptop,
  file: string,
  change?: (object: KubeObject) => KubeObject,
): Promise<void> => {
  const refused = await laptop.applyFile(file, change);
  if (refused.length > 0) throw new Error(refused.join('\n'));
};

/** Runs a sweep, which the schedule would start only every few minutes. */
export const sweep = (laptop: RecordedLaptop): Promise<unknown> => laptop.runtime.invoke('Windlass-drift', {});
