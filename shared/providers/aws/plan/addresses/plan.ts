import { type Intents, isFresh } from '../../network/intents.ts';
import { INTENT_TAG, type Tags } from '../../tags.ts';

/** An Elastic IP address of ours. */
export interface HeldAddress {
  allocationId: string;
  publicIp: string;
  /** Its association: the id of an instance, or else of the association itself. */
  boundTo?: string;
  tags: Tags;
}

/** A user's pool, and whether Amazon's is used when it is empty. */
export interface AddressPool {
  id: string;
  fallsBack: boolean;
}

export interface AddressSituation {
  /** The desired number of addresses, not counting associated ones. */
  wanted: number;
  held: readonly HeldAddress[];
  /** Omitted if Amazon's addresses can be used. */
  pool?: AddressPool;
  /** Free addresses in the pool; undefined if there is no such pool. */
  free?: number;
  intents: Intents;
  now: Date;
}

export interface AddressPlan {
  /** Unassociated addresses, the oldest first. */
  ready: HeldAddress[];
  /** The allocations to make, each with a separate intent. */
  allocate: { intent: string; pool?: string }[];
  /** Intents of allocations that may have been made and are not visible yet. */
  waiting: string[];
  /** Superfluous addresses: two runs have allocated them, or their resource is gone. */
  surplus: HeldAddress[];
  /** Why no address can be allocated. */
  problem?: string;
}

/** The key of the intent for the address with this index, for one purpose. */
const addressIntent = (purpose: string, index: number): string => `${purpose}-address-${index}`;

/** Tokens start with the time, so the smallest is the oldest; addresses without one are older. */
const byAge = (a: HeldAddress, b: HeldAddress): number => {
  const keyOf = ({ tags, allocationId }: HeldAddress) => `${tags[INTENT_TAG] ?? ''} ${allocationId}`;
  return keyOf(a) < keyOf(b) ? -1 : 1;
};

const sourceOf = ({ pool, free }: AddressSituation, taken: number): { pool?: string } | { problem: string } => {
  if (!pool) return {};
  if (free === undefined) return { problem: `there is no pool ${pool.id}` };
  if (free > taken) return { pool: pool.id };
  if (pool.fallsBack) return {};
  return { problem: `pool ${pool.id} has no free address, and publicIpv4PoolFallbackOrder is none` };
};

/**
 * The existing addresses for one purpose, and those that must be allocated. An address that another run may just have
 * allocated is awaited. Intents need not match individual addresses, because these are interchangeable.
 */
export const planAddresses = (purpose: string, situation: AddressSituation): AddressPlan => {
  const { wanted, held, intents, now } = situation;
  const free = held.filter(({ boundTo }) => boundTo === undefined).sort(byAge);
  const ready = free.slice(0, wanted);
  const seen = new Set(held.map(({ tags }) => tags[INTENT_TAG]));
  const keys = Array.from({ length: wanted }, (_, index) => addressIntent(purpose, index));
  const unseen = keys.filter((key) => intents[key] !== undefined && !seen.has(intents[key]));
  const waiting = unseen.filter((key) => isFresh(intents[key], now)).slice(0, wanted - ready.length);
  const open = keys.filter((key) => !isFresh(intents[key], now) || seen.has(intents[key]));
  const missing = open.slice(0, Math.max(0, wanted - ready.length - waiting.length));
  const plan: AddressPlan = { ready, allocate: [], waiting, surplus: free.slice(wanted) };
  for (const [taken, intent] of missing.entries()) {
    const source = sourceOf(situation, taken);
    if ('problem' in source) return { ...plan, problem: source.problem };
    plan.allocate.push({ intent, ...source });
  }
  return plan;
};
