import type { MachinePool } from '../../kinds/index.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** How long the instances of a pool start with the same bootstrap token. Then its bootstrap data get a new one. */
const TURN_MILLISECONDS = 7 * DAY_MILLISECONDS;

/** A token stays valid for one more complete turn, because a group may launch instances after days without a pass. */
const LIFE_TURNS = 2;

/** One of the successive bootstrap tokens of a pool. */
export interface TokenTurn {
  /** The uid from which the token is derived; see machineToken. */
  readonly subject: string;
  /** When the next turn begins. */
  readonly endsAt: Date;
  /** When the token becomes invalid in the workload cluster. */
  readonly expiresAt: Date;
}

/**
 * The turn of a pool at a given time. Unlike a machine, a group launches instances at any time and on its own, so its
 * token must always be valid. Decision 60 gives the reasons and the price.
 */
export const tokenTurn = ({ metadata }: MachinePool, now: Date): TokenTurn => {
  const since = Date.parse(metadata.creationTimestamp ?? '');
  const start = Number.isNaN(since) ? 0 : since;
  const turn = Math.max(0, Math.floor((now.getTime() - start) / TURN_MILLISECONDS));
  const at = (turns: number) => new Date(start + turns * TURN_MILLISECONDS);
  return {
    subject: `${metadata.uid ?? ''}/${turn}`,
    endsAt: at(turn + 1),
    expiresAt: at(turn + LIFE_TURNS),
  };
};
