import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock.ts';
import { type Caller, readCaller } from './caller.ts';
import { CLUSTER_ID_HEADER, readToken, TokenError } from './token.ts';

/** One GET to STS over TLS. Redirects are not followed. `host` is the host in the signature. */
export type AskSts = (request: {
  host: string;
  path: string;
  headers: Readonly<Record<string, string>>;
}) => Promise<{ status: number; body: string }>;

export interface VerifyOptions {
  clusterId: string;
  hosts: readonly string[];
  askSts: AskSts;
  clock: Clock;
}

/** More tokens than users; the least recently used ones are dropped first. */
const REMEMBERED = 1_000;

const digest = (token: string): string => createHash('sha256').update(token).digest('hex');

/** STS is overloaded or down, so the token may be valid or not. */
const isOutage = (status: number): boolean => status >= 500 || status === 429;

/**
 * STS answers 400 when the signer's account exceeds its rate, as it does to invalid requests; this, too, does not say
 * whether the token is valid.
 */
const isThrottled = (body: string): boolean => /"Code":\s*"Throttling|<Code>Throttling/.test(body);

/**
 * Identifies the bearer of a token. Sends its presigned request to STS together with our cluster id, which the bearer
 * must have signed. Answers are cached by the token's hash for as long as STS would accept it. Rejects with TokenError
 * for a refused token, and with another error if STS cannot be reached or throttles requests.
 */
export const makeVerify = ({ clusterId, hosts, askSts, clock }: VerifyOptions) => {
  const remembered = new LRUCache<string, { caller: Caller; until: number }>({ max: REMEMBERED });

  return async (token: string): Promise<Caller> => {
    const now = clock.now().getTime();
    const { host, path, expiresAt } = readToken(token, hosts, now);
    const key = digest(token);
    const known = remembered.get(key);
    if (known !== undefined && known.until > now) return known.caller;
    const headers = { [CLUSTER_ID_HEADER]: clusterId, accept: 'application/json' };
    const { status, body } = await askSts({ host, path, headers });
    if (isOutage(status)) throw new Error(`STS answered ${status}`);
    if (status !== 200 && isThrottled(body)) throw new Error('STS throttles the requests of the account of the caller');
    if (status !== 200) throw new TokenError(`STS refused the token with ${status}`);
    const caller = readCaller(body);
    remembered.set(key, { caller, until: expiresAt });
    return caller;
  };
};
