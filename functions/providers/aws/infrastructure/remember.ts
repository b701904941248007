import type { Cluster } from '../../../../shared/kinds/index.ts';
import { isTrue } from '../../../../shared/plan/status/conditions.ts';
import type { PortCache } from '../../../../shared/providers/aws/api/port-cache.ts';
import type { Plan, Settled } from './settle.ts';

/**
 * Whether a pass may rely on what the previous pass has just observed: while a cluster is being created, passes follow
 * each other closely, and no other program changes the cluster. A pass over a complete cluster reads everything.
 */
export const isComing = ({ status }: Pick<Cluster, 'status'>): boolean => !isTrue(status?.conditions, 'Available');

/** Runs to the end, and discards the observations unless everything was as desired. */
export const rememberingWhatIsWell = async <S, A, P extends Plan<A>>(
  memory: Pick<PortCache<unknown>, 'forget'>,
  owner: string,
  run: () => Promise<Settled<S, A, P> | undefined>,
): Promise<Settled<S, A, P> | undefined> => {
  let isWell = false;
  try {
    const settled = await run();
    isWell = settled !== undefined && !settled.plan.problem && settled.failures.length === 0;
    return settled;
  } finally {
    if (!isWell) memory.forget(owner);
  }
};
