import { tryJson } from '../../decode/json.ts';
import type { Cluster, ClusterResourceSet, ClusterResourceSetBinding } from '../../kinds/index.ts';
import { isObject } from '../../kube-api/json.ts';
import { formatTime } from '../../kube-api/object.ts';
import { MAX_OWNERS } from '../../kube-api/owner-limits.ts';
import { FINALIZER } from '../labels.ts';
import { ownerReference } from '../machines/desired.ts';
import { findCondition } from '../status/conditions.ts';
import { type Fault, type Progress, WORST } from './faults.ts';
import type { ResourceRef } from './source.ts';

type SetBinding = NonNullable<ClusterResourceSetBinding['spec']['bindings']>[number];

/** A binding's entry for one ConfigMap or Secret. */
export type ResourceRecord = NonNullable<SetBinding['resources']>[number];

/** Which sets are not applied and why, as JSON: upstream's binding has no field for it. */
const FAULTS_ANNOTATION = 'windlass.dev/not-applied';

/** Longer messages are not helpful. */
const MAX_MESSAGE = 1000;

/**
 * Annotations share 256 KB. A name has up to 253 characters, and each character of a message takes up to six bytes in
 * JSON.
 */
const MAX_FAULTS = 200;
const ALL_MESSAGES = 16_000;

/** The schema's limit for the sets of a cluster. */
const MOST_SETS = 100;

/** The binding of a cluster that has none yet; its name is the cluster's. */
export const newBinding = ({ metadata: { namespace, name } }: Cluster): ClusterResourceSetBinding => ({
  apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
  kind: 'ClusterResourceSetBinding',
  metadata: { namespace, name },
  spec: { clusterName: name },
});

/** A binding's entry for a set: none if there is no binding. */
export const recordsOf = (binding: ClusterResourceSetBinding | undefined, setName: string): readonly ResourceRecord[] =>
  binding?.spec.bindings?.find(({ clusterResourceSetName }) => clusterResourceSetName === setName)?.resources ?? [];

/** The record of a resource among those of its set. */
export const recordOf = (records: readonly ResourceRecord[], ref: ResourceRef): ResourceRecord | undefined =>
  records.find(({ kind, name }) => kind === ref.kind && name === ref.name);

/**
 * Whether there is nothing to do: everything that a set with the strategy ApplyOnce names was applied, its status
 * reports that for the current generation, and nobody has removed its finalizer or removed the set from the owners of
 * the binding. The contents no longer matter then, and are not read.
 */
export const isSettledSet = (
  { metadata, spec, status }: ClusterResourceSet,
  binding: ClusterResourceSetBinding | undefined,
): boolean => {
  const { name, finalizers, uid } = metadata;
  const owners = binding?.metadata.ownerReferences ?? [];
  const said = findCondition(status?.conditions, 'ResourcesApplied');
  return (
    spec.strategy !== 'Reconcile' &&
    said?.status === 'True' &&
    status?.observedGeneration === metadata.generation &&
    faultsOf(binding)[name] === undefined &&
    finalizers?.includes(FINALIZER.clusterResourceSet) === true &&
    // If the binding has no room for another owner, nothing more can be done.
    (owners.length >= MAX_OWNERS || owners.some((owner) => owner.uid === uid)) &&
    spec.resources.every((ref) => recordOf(recordsOf(binding, name), ref)?.applied === true)
  );
};

/** The result of an attempt to apply a resource. */
export const recordFor = (
  { kind, name }: ResourceRef,
  { applied, hash, now }: { applied: boolean; hash: string | undefined; now: Date },
): ResourceRecord => ({ kind, name, applied, ...(hash ? { hash } : {}), lastAppliedTime: formatTime(now) });

/** The schema's limit for the records of a set. */
const MOST_RECORDS = 100;

/**
 * Records of resources that a set no longer names are kept, because it may name them again. If there are too many, the
 * oldest are dropped: some tools rename a ConfigMap with each change of its contents.
 */
const fitting = (records: readonly ResourceRecord[], { spec }: ClusterResourceSet): ResourceRecord[] => {
  const isNamed = ({ kind, name }: ResourceRecord) =>
    spec.resources.some((ref) => ref.kind === kind && ref.name === name);
  let excess = records.length - MOST_RECORDS;
  return records.filter((record) => {
    if (excess <= 0 || isNamed(record)) return true;
    excess -= 1;
    return false;
  });
};

/** The binding with an entry of the set, owned by it, with the `records` of the attempted resources. */
export const withRecords = (
  binding: ClusterResourceSetBinding,
  set: ClusterResourceSet,
  records: readonly ResourceRecord[],
): ClusterResourceSetBinding => {
  const { name } = set.metadata;
  const resources = [...recordsOf(binding, name)];
  for (const record of records) {
    const index = resources.findIndex((known) => known.kind === record.kind && known.name === record.name);
    if (index < 0) resources.push(record);
    else resources[index] = record;
  }
  const entry: SetBinding = { clusterResourceSetName: name, resources: fitting(resources, set) };
  const bindings = binding.spec.bindings ?? [];
  const isKnown = bindings.some(({ clusterResourceSetName }) => clusterResourceSetName === name);
  const next = isKnown
    ? bindings.map((known) => (known.clusterResourceSetName === name ? entry : known))
    : [...bindings, entry];
  return {
    ...binding,
    metadata: { ...binding.metadata, ownerReferences: ownedBy(binding.metadata.ownerReferences, set) },
    spec: { ...binding.spec, bindings: next },
  };
};

type Owners = ClusterResourceSetBinding['metadata']['ownerReferences'];

/**
 * `owners` with the set, which replaces an earlier one with its name. If there is no room, the set waits until another
 * one is gone.
 */
export const ownedBy = (owners: Owners, set: ClusterResourceSet): NonNullable<Owners> => {
  const reference = ownerReference(set);
  const isSame = owners?.some(({ uid, kind }) => uid === reference.uid && kind === reference.kind);
  const others = withoutOwner(owners, set.metadata.name);
  if (isSame) return [...(owners ?? [])];
  return others.length < MAX_OWNERS ? [...others, reference] : others;
};

const withoutOwner = (owners: Owners, setName: string): NonNullable<Owners> =>
  (owners ?? []).filter(({ kind, name }) => !(kind === 'ClusterResourceSet' && name === setName));

/** The binding without any entry of the set; undefined if nothing is left in it. */
export const withoutSet = (
  binding: ClusterResourceSetBinding,
  setName: string,
): ClusterResourceSetBinding | undefined => {
  const bindings = (binding.spec.bindings ?? []).filter((entry) => entry.clusterResourceSetName !== setName);
  if (bindings.length === 0) return undefined;
  const { [setName]: _, ...faults } = faultsOf(binding);
  const ownerReferences = withoutOwner(binding.metadata.ownerReferences, setName);
  return withFaults(
    { ...binding, metadata: { ...binding.metadata, ownerReferences }, spec: { ...binding.spec, bindings } },
    faults,
  );
};

/** Whether a binding has an entry of a set, or room for one. */
export const hasRoomFor = (binding: ClusterResourceSetBinding | undefined, setName: string): boolean =>
  !binding || holdsSet(binding, setName) || (binding.spec.bindings ?? []).length < MOST_SETS;

/** Whether a binding has any entry of a set. */
export const holdsSet = (binding: ClusterResourceSetBinding, setName: string): boolean =>
  (binding.spec.bindings ?? []).some(({ clusterResourceSetName }) => clusterResourceSetName === setName);

const MAX_NAME = 253;

const isProgress = (value: unknown): value is Progress =>
  isObject(value) &&
  [value.kind, value.name, value.hash].every((text) => typeof text === 'string' && text.length <= MAX_NAME) &&
  Number.isSafeInteger(value.done) &&
  Number(value.done) >= 0 &&
  typeof value.refused === 'boolean';

const isFault = (value: unknown): value is Fault =>
  isObject(value) &&
  WORST.some((reason) => reason === value.reason) &&
  typeof value.message === 'string' &&
  (value.progress === undefined || isProgress(value.progress));

/**
 * Why the sets of a binding are not applied, by the set's name. Invalid entries, which another client has written, are
 * ignored; the next attempt rewrites everything.
 */
export const faultsOf = (binding: ClusterResourceSetBinding | undefined): Readonly<Record<string, Fault>> => {
  const found = tryJson(binding?.metadata.annotations?.[FAULTS_ANNOTATION] ?? '');
  const entries = isObject(found) ? Object.entries(found) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, Fault] => isFault(entry[1])));
};

/**
 * The sets in the order in which a pass applies them: first those for which the last pass had no time, beginning with
 * the one whose last attempt is the oldest, and then the others by name.
 */
export const inTurn = (
  sets: readonly ClusterResourceSet[],
  binding: ClusterResourceSetBinding | undefined,
): ClusterResourceSet[] => {
  const faults = faultsOf(binding);
  const turnOf = ({ metadata: { name } }: ClusterResourceSet): string => {
    if (!faults[name]?.late) return `1 ${name}`;
    const attempts = recordsOf(binding, name).map(({ lastAppliedTime = '' }) => lastAppliedTime);
    return `0 ${attempts.sort().at(-1) ?? ''} ${name}`;
  };
  const turns = new Map(sets.map((set) => [set, turnOf(set)]));
  return sets.toSorted((a, b) => ((turns.get(a) ?? '') < (turns.get(b) ?? '') ? -1 : 1));
};

/** The binding with these faults, or with the first of them if there are too many. */
export const withFaults = (
  binding: ClusterResourceSetBinding,
  faults: Readonly<Record<string, Fault>>,
): ClusterResourceSetBinding => {
  const { [FAULTS_ANNOTATION]: _, ...annotations } = binding.metadata.annotations ?? {};
  const kept = Object.entries(faults).slice(0, MAX_FAULTS);
  const length = Math.min(MAX_MESSAGE, Math.floor(ALL_MESSAGES / kept.length));
  const short = kept.map(([set, fault]) => [set, { ...fault, message: fault.message.slice(0, length) }]);
  const text = JSON.stringify(Object.fromEntries(short));
  return {
    ...binding,
    metadata: {
      ...binding.metadata,
      annotations: short.length > 0 ? { ...annotations, [FAULTS_ANNOTATION]: text } : annotations,
    },
  };
};
