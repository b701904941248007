import type { Machine } from '../../kinds/index.ts';

/**
 * An annotation of a Machine: since when it has been waiting to leave etcd. The times in `status.deletion` are
 * upstream's, and the last of them may belong to a user's hook that was awaited before.
 */
const SINCE = 'windlass.dev/leaves-etcd-since';

/** RFC 3339; undefined if the machine has not waited yet. */
export const leavesEtcdSince = ({ metadata }: Pick<Machine, 'metadata'>): string | undefined =>
  metadata.annotations?.[SINCE];

/** The machine with this time recorded. */
export const withLeavesEtcdSince = (machine: Machine, since: string): Machine => ({
  ...machine,
  metadata: { ...machine.metadata, annotations: { ...machine.metadata.annotations, [SINCE]: since } },
});
