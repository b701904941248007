/** Kinds that others need, in the order in which they have to be there (cluster-api util/resource). */
const FIRST: readonly string[] = [
  'Namespace',
  'CustomResourceDefinition',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Secret',
  'ConfigMap',
  'ServiceAccount',
  'LimitRange',
  'Pod',
  'ReplicaSet',
  'Endpoint',
];

const RANKS: ReadonlyMap<string, number> = new Map(FIRST.map((kind, index) => [kind, index]));

const rank = ({ kind }: { kind: string }): number => RANKS.get(kind) ?? FIRST.length;

/** The objects with those first that others need; those of equal rank stay in the order of the manifest. */
export const inCreationOrder = <T extends { kind: string }>(objects: readonly T[]): T[] =>
  objects.toSorted((a, b) => rank(a) - rank(b));
