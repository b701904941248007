import type { KubeObject } from '../../kube-api/object.ts';

/**
 * What an annotation of version 0.1, which anyone who could edit the object could write, proves: the text of an entry,
 * or undefined if it proves nothing.
 */
export type Inherit = (text: string, object: KubeObject) => string | undefined;

/** The entries of the controllers' memory of the objects of a kind. */
export interface MemoryKind {
  readonly names: readonly string[];
  /** Prefixes of entries, one for each resource of a kind that may be in creation. */
  readonly prefixes?: readonly string[];
  /** By the name of the annotation; others are dropped. */
  readonly legacy?: Readonly<Record<string, Inherit>>;
}

/** The core's own data about a cluster, stored with the infrastructure object of any provider. */
export const CORE_CLUSTER_MEMORY: readonly string[] = [
  'windlass.dev/begun',
  'windlass.dev/initializer',
  'windlass.dev/routes',
  'windlass.dev/services',
  'windlass.dev/used-places',
];

/** The core's own data about a MachinePool, stored with the infrastructure object of any provider. */
export const CORE_POOL_MEMORY: readonly string[] = ['windlass.dev/reconciled'];

export const prefixesOf = ({ prefixes = [] }: MemoryKind): readonly string[] => prefixes;
