import { DRAIN_HOOK, PREPARE_HOOK } from '../../../kinds/aws-machine-pool/hook-names.ts';
import { warmPoolDiffers } from './differences.ts';
import type { DesiredGroup, GroupInstance, ObservedGroup, PoolAction } from './model.ts';

/** The facts about a group's warm pool. */
export interface WarmPoolFacts {
  wanted: DesiredGroup;
  group: ObservedGroup;
  /** The instances of the warm pool. */
  instances: readonly GroupInstance[];
  /** The latest version of the launch template. */
  version: number | undefined;
}

const OUTDATED = 'its instances started from an older version of the launch template';

const isOutdated = ({ version, state }: GroupInstance, latest: number | undefined): boolean =>
  latest !== undefined && version !== undefined && version !== latest && !state.startsWith('Warmed:Terminating');

/**
 * The actions for a group's warm pool. If instances have started with an older version of the template, the complete
 * pool is deleted, and the next check creates it again: an instance that waits for weeks would join with an expired
 * token, and TerminateInstanceInAutoScalingGroup does not accept instances of a warm pool.
 */
export const warmPoolActions = ({ wanted, group, instances, version }: WarmPoolFacts): PoolAction[] => {
  const { name } = group;
  // While the warm pool is being deleted, it can be neither changed nor created again.
  if (group.warm?.status) return [];
  if (wanted.warm && group.warm && instances.some((one) => isOutdated(one, version)))
    return [{ do: 'delete-warm-pool', name, because: OUTDATED }];
  if (!warmPoolDiffers(wanted, group)) return [];
  if (wanted.warm) return [{ do: 'put-warm-pool', name, warm: wanted.warm }];
  return [{ do: 'delete-warm-pool', name, because: 'the AWSMachinePool no longer asks for one' }];
};

const waiting = (instances: readonly GroupInstance[], state: string): string[] =>
  instances.filter((one) => one.state === state).map(({ id }) => id);

/**
 * The waits for our hooks that end immediately: that of an instance which the group takes in, because it was prepared
 * before or joins anyway, and that of an instance which leaves the warm pool, because it has no node to drain.
 */
export const endedWaits = ({ wanted: { warm }, group, instances }: WarmPoolFacts): PoolAction[] => {
  const { name } = group;
  const takenIn = warm ? waiting(group.instances, 'Pending:Wait') : [];
  const leaving = waiting(instances, 'Warmed:Terminating:Wait');
  return [
    ...(takenIn.length > 0 ? [{ do: 'end-waits', name, hook: PREPARE_HOOK, instances: takenIn } as const] : []),
    ...(leaving.length > 0 ? [{ do: 'end-waits', name, hook: DRAIN_HOOK, instances: leaving } as const] : []),
  ];
};
