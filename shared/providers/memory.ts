import type { ResourceId } from '../kube-api/object.ts';
import { isOutside, type Role } from '../outside/kinds.ts';
import { CORE_CLUSTER_MEMORY, type MemoryKind } from '../plan/memory/kind.ts';
import { INFRASTRUCTURES } from './registry.ts';

const idOf = ({ group, plural }: ResourceId): string => `${plural}.${group}`;

/**
 * The entries in the controllers' records, by the kind of the object. docs/annotations.md has the same table, and shows
 * who writes and who reads each; a test compares the two.
 */
export const MEMORY: Readonly<Record<string, MemoryKind>> = Object.fromEntries(
  INFRASTRUCTURES.flatMap(({ cluster, machine, pool, memory }) => [
    ...(memory?.machine ? [[idOf(machine), memory.machine] as const] : []),
    ...(pool ? [[idOf(pool.kind), pool.memory] as const] : []),
    [idOf(cluster), memory?.cluster ?? { names: CORE_CLUSTER_MEMORY }] as const,
  ]),
);

/** The records of objects of external providers. */
const OF_OUTSIDE: Readonly<Partial<Record<Role, MemoryKind>>> = { cluster: { names: CORE_CLUSTER_MEMORY } };

/** The declaration for the kind; undefined for kinds without records. */
export const memoryOf = (resource: ResourceId): MemoryKind | undefined =>
  isOutside(resource) ? OF_OUTSIDE[resource.outside] : MEMORY[idOf(resource)];
