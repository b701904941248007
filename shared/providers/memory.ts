import type { ResourceId } from '../kube-api/object.ts';
import { isOutside, type Role } from '../outside/kinds.ts';
import { CORE_CLUSTER_MEMORY, type MemoryKind } from '../plan/memory/kind.ts';
import { INFRASTRUCTURES } from './registry.ts';

const idOf = ({ group, plural }: ResourceId): string => `${plural}.${group}`;

/**
 * The entries of the controllers' memory, by the kind of the object that they are about. docs/annotations.md has the
 * same table with who writes and who reads each; a test holds the two together.
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

/** The kind's declaration; undefined for kinds without a memory. */
export const memoryOf = (resource: ResourceId): MemoryKind | undefined =>
  isOutside(resource) ? OF_OUTSIDE[resource.outside] : MEMORY[idOf(resource)];
