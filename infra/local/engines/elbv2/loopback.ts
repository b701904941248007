import { createHash } from 'node:crypto';

export interface LoopbackAddresses {
  /**
   * An address in 127.0.0.0/8 that belongs only to `seed` until it is released; the same seed usually gets the same
   * address.
   */
  take(seed: string): string;
  free(address: string): void;
  /** The addresses in use. */
  readonly taken: Set<string>;
}

/** 127.0.x.y is not used: it contains the loopback address itself and resolvers. */
const addressOf = (seed: string, attempt: number): string => {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(`${seed} ${attempt}`).digest();
  return `127.${1 + (a % 254)}.${b}.${1 + (c % 254)}`;
};

/** Addresses for load balancers, so that each can listen on port 6443. */
export const makeLoopbackAddresses = (): LoopbackAddresses => {
  const taken = new Set<string>();
  return {
    taken,
    take: (seed) => {
      let attempt = 0;
      while (taken.has(addressOf(seed, attempt))) attempt += 1;
      const address = addressOf(seed, attempt);
      taken.add(address);
      return address;
    },
    free: (address) => {
      taken.delete(address);
    },
  };
};
