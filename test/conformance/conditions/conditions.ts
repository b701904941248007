/**
 * Reads the conditions of a cluster's objects in a form that can be compared with those of the same cluster elsewhere.
 */
import type { Api } from '../../../infra/cli/api/client.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';

interface Condition {
  type: string;
  status: string;
  reason: string;
  message?: string;
}

interface WithConditions extends KubeObject {
  spec?: { providerID?: string };
  status?: { conditions?: Condition[]; nodeRef?: { name: string } };
}

/**
 * The kinds that both sides have. Conditions of infrastructure objects cannot be compared: those of the AWS provider
 * follow v1beta1, and those of the in-memory infrastructure describe other components. The conditions that the core
 * derives from them are compared: `InfrastructureReady` of Clusters and Machines.
 */
const KINDS = {
  Cluster: { group: 'cluster.x-k8s.io', plural: 'clusters' },
  KubeadmControlPlane: { group: 'controlplane.cluster.x-k8s.io', plural: 'kubeadmcontrolplanes' },
  MachineDeployment: { group: 'cluster.x-k8s.io', plural: 'machinedeployments' },
  MachineSet: { group: 'cluster.x-k8s.io', plural: 'machinesets' },
  Machine: { group: 'cluster.x-k8s.io', plural: 'machines' },
  KubeadmConfig: { group: 'bootstrap.cluster.x-k8s.io', plural: 'kubeadmconfigs' },
  MachineHealthCheck: { group: 'cluster.x-k8s.io', plural: 'machinehealthchecks' },
  ClusterResourceSet: { group: 'addons.cluster.x-k8s.io', plural: 'clusterresourcesets' },
} as const;

interface Place {
  group: string;
  plural: string;
}

/** The infrastructure provider: `Dev` upstream, `AWS` in Windlass. */
export type Provider = 'AWS' | 'Dev';

/** Conditions that only Windlass has. */
const OWN = 'windlass.dev/';
const CONTROL_PLANE = 'cluster.x-k8s.io/control-plane';
const OF_MACHINES: readonly string[] = ['Machine', 'KubeadmConfig'];

/**
 * The subject of an object: its kind, and the role of its machine if it has one. Objects with the same subject are
 * compared together.
 */
const subjectOf = (kind: string, { metadata }: KubeObject): string => {
  if (!OF_MACHINES.includes(kind)) return kind;
  return `${kind} of ${CONTROL_PLANE in (metadata.labels ?? {}) ? 'the control plane' : 'a worker'}`;
};

/**
 * Conditions by subject and type, or fields by subject and path: the distinct texts of the subject's objects, sorted.
 */
export type Conditions = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/**
 * Replaces whatever differs between equivalent messages: names of objects, ids, hashes and the infrastructure provider.
 */
const makeNeutral = (machines: readonly WithConditions[], sets: readonly WithConditions[], provider: Provider) => {
  const nodes = machines.flatMap(({ status }) => status?.nodeRef?.name ?? []);
  const names = machines.map(({ metadata }) => metadata.name);
  const ids = machines.flatMap(({ spec }) => spec?.providerID ?? []);
  const ofSets = sets.map(({ metadata }) => metadata.name);
  return (message: string): string => {
    const withoutCauses = message.replaceAll(
      /InfrastructureReady:(?: .*|(?:\n *\* \w+Provisioned: .*)+)/g,
      'InfrastructureReady: <cause>',
    );
    const withIds = ids.reduce((text, id) => text.replaceAll(id, '<provider id>'), withoutCauses);
    const withNodes = nodes.reduce((text, name) => text.replaceAll(`Node ${name}`, 'Node <node>'), withIds);
    const withMachines = names.reduce((text, name) => text.replaceAll(name, '<machine>'), withNodes);
    const withSets = ofSets.reduce((text, name) => text.replaceAll(name, '<set>'), withMachines);
    const withHashes = withSets.replaceAll(/machine-template-hash=[\w-]+/g, 'machine-template-hash=<hash>');
    return withHashes.replaceAll(new RegExp(`\\b${provider}(?=Cluster|Machine)`, 'g'), '<provider>');
  };
};

const textOf = (kind: string, { type, status, reason, message = '' }: Condition, neutral: (text: string) => string) => {
  // Copied from the infrastructure machine, whose reasons depend on the provider.
  if (kind === 'Machine' && type === 'InfrastructureReady' && status !== 'True') return `${status} <cause>`;
  return [status, reason, neutral(message)].join(' ').trim();
};

type Entries = (kind: string, object: WithConditions, neutral: (text: string) => string) => [string, string][];

/** The objects of a namespace by kind, in the order in which they are stored. */
export type Objects = Readonly<Record<keyof typeof KINDS, readonly WithConditions[]>>;

/**
 * Reads all objects once, so that their conditions, their statuses and the number of machines are from the same moment.
 */
export const readObjects = async (api: Api, namespace: string): Promise<Objects> => {
  const list = async ([kind, { group, plural }]: [string, Place]) => {
    const path = `/apis/${group}/v1beta2/namespaces/${namespace}/${plural}`;
    return [kind, (await api.send<{ items: WithConditions[] }>('GET', path)).items] as const;
  };
  return Object.fromEntries(await Promise.all(Object.entries(KINDS).map(list))) as unknown as Objects;
};

const textsOf = (objects: Objects, provider: Provider, entriesOf: Entries): Conditions => {
  const neutral = makeNeutral(objects.Machine, objects.MachineSet, provider);
  const found = new Map<string, Map<string, string[]>>();
  for (const [kind, all] of Object.entries(objects)) {
    for (const object of all) {
      const subject = subjectOf(kind, object);
      const types = found.get(subject) ?? new Map<string, string[]>();
      found.set(subject, types);
      for (const [type, text] of entriesOf(kind, object, neutral)) {
        types.set(type, [...new Set([...(types.get(type) ?? []), text])].sort());
      }
    }
  }
  return found;
};

/** The conditions of the objects. */
export const conditionsOf = (objects: Objects, provider: Provider): Conditions =>
  textsOf(objects, provider, (kind, { status }, neutral) =>
    (status?.conditions ?? [])
      .filter(({ type }) => !type.startsWith(OWN))
      .map((condition) => [condition.type, textOf(kind, condition, neutral)]),
  );

/**
 * Fields that are not compared: conditions are compared separately, `deprecated` is not stored here, because v1beta1 is
 * derived, and the others depend on the infrastructure, on the time or on the number of changes.
 */
const LEFT_OUT =
  /^(conditions|deprecated|observedGeneration|lastUpdated|addresses|nodeInfo|nodeRef|failureDomains?|certificatesExpiryDate)$/;

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** The leaves of a value with their paths. All elements of a list have the same path. */
const leavesOf = (path: string, value: unknown): [string, unknown][] => {
  if (Array.isArray(value)) return value.flatMap((one) => leavesOf(`${path}[]`, one));
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, one]) => (LEFT_OUT.test(name) ? [] : leavesOf(`${path}.${name}`, one)));
};

/** The status fields of the objects, without their conditions. */
export const statusesOf = (objects: Objects, provider: Provider): Conditions =>
  textsOf(objects, provider, (_kind, { status }, neutral) =>
    leavesOf('status', status ?? {}).map(([path, value]) => [path, neutral(`${value}`).replaceAll(TIME, '<time>')]),
  );

export interface Difference {
  subject: string;
  type: string;
  upstream: readonly string[];
  here: readonly string[];
}

const NONE: ReadonlyMap<string, readonly string[]> = new Map();

const typesOf = (subject: string, ...all: readonly Conditions[]): string[] => [
  ...new Set(all.flatMap((one) => [...(one.get(subject) ?? NONE).keys()])),
];

/** The conditions that are equal, as `<subject>: <type>`, and those that differ. */
export const compareConditions = (upstream: Conditions, here: Conditions) => {
  const alike: string[] = [];
  const different: Difference[] = [];
  for (const subject of new Set([...upstream.keys(), ...here.keys()])) {
    for (const type of typesOf(subject, upstream, here)) {
      const [theirs, ours] = [upstream, here].map((one) => one.get(subject)?.get(type) ?? []);
      const difference = { subject, type, upstream: theirs ?? [], here: ours ?? [] };
      if (difference.upstream.join('\n') === difference.here.join('\n')) alike.push(`${subject}: ${type}`);
      else different.push(difference);
    }
  }
  return { alike, different };
};

/** The condition types of a subject that both sides have, in the order of `of`. */
export const orderOf = (subject: string, of: Conditions, other: Conditions): string[] =>
  [...(of.get(subject) ?? NONE).keys()].filter((type) => other.get(subject)?.has(type));
