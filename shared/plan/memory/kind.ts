import type { KubeObject } from '../../kube-api/object.ts';

/**
 * Converts an annotation of version 0.1, which anyone who could edit the object could write, to the entry that it
 * proves; undefined if it proves nothing.
 */
export type Inherit = (text: string, object: KubeObject) => string | undefined;

/** The entries that the controllers' records may have for objects of a kind. */
export interface MemoryKind {
  readonly names: readonly string[];
  /** Prefixes of entries, one for each resource of a kind that may be in creation. */
  readonly prefixes?: readonly string[];
  /** Conversions by the name of the annotation; other annotations are dropped. */
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
