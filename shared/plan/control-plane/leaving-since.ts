import type { Machine } from '../../kinds/index.ts';

/**
 * On a Machine: since when it waits to leave etcd. The times in `status.deletion` are upstream's, and the last of them
 * may be of a user's hook, which was awaited before.
 */
const SINCE = 'windlass.dev/leaves-etcd-since';

/** RFC 3339; undefined if the machine has not waited yet. */
export const leavesEtcdSince = ({ metadata }: Pick<Machine, 'metadata'>): string | undefined =>
  metadata.annotations?.[SINCE];

/** The machine with the time recorded. */
export const withLeavesEtcdSince = (machine: Machine, since: string): Machine => ({
  ...machine,
  metadata: { ...machine.metadata, annotations: { ...machine.metadata.annotations, [SINCE]: since } },
});
