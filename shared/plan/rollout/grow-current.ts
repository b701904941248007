import { committed, type RolloutFacts, type ScaleIntent, sumOf } from './facts.ts';

/**
 * Scales the current set towards `replicas`: down immediately, up as far as `limit` machines in total allow. Undefined
 * if it does not change.
 */
export const growCurrent = (
  { current, old }: RolloutFacts,
  { replicas, limit }: { replicas: number; limit: number },
): ScaleIntent | undefined => {
  if (current.desired === replicas) return undefined;
  if (current.desired > replicas) {
    return { set: current.name, replicas, reason: `the MachineDeployment has ${replicas} replicas` };
  }
  const total = sumOf([current, ...old], committed);
  const more = Math.min(limit - total, replicas - current.desired);
  if (more <= 0) return undefined;
  const reason = `${total} of at most ${limit} machines exist`;
  return { set: current.name, replicas: current.desired + more, reason };
};
