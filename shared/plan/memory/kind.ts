import type { KubeObject } from '../../kube-api/object.ts';

/**
 * What may be concluded from an annotation by which version 0.1 remembered something, which whoever could edit the object
 * could write: the text of an entry, or undefined where it proves nothing.
 */
export type Inherit = (text: string, object: KubeObject) => string | undefined;

/** The entries of the controllers' memory of the objects of a kind. */
export interface MemoryKind {
  readonly names: readonly string[];
  /** Entries whose names begin so, one for each thing of a kind that may be in the making. */
  readonly prefixes?: readonly string[];
  /** By the name of the annotation; what is not here is forgotten. */
  readonly legacy?: Readonly<Record<string, Inherit>>;
}

/** What the core remembers of a cluster, with the infrastructure object, whoever provides it. */
export const CORE_CLUSTER_MEMORY: readonly string[] = [
  'windlass.dev/begun',
  'windlass.dev/initializer',
  'windlass.dev/used-places',
];

/** What the core remembers of a MachinePool, with the infrastructure object, whoever provides it. */
export const CORE_POOL_MEMORY: readonly string[] = ['windlass.dev/reconciled'];

export const prefixesOf = ({ prefixes = [] }: MemoryKind): readonly string[] => prefixes;
