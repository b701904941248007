/** A simulated AWS for tests: a clock that is set manually, ids determined by a seed, and clients for it. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../shared/clock.ts';
import type { Random } from '../../shared/random.ts';
import { type Account, type AccountSettings, createAccount } from './account.ts';
import { type SimulatedAws, startAws } from './aws.ts';
import { createDataPlane, type DataPlaneRegistry } from './engines/elbv2/data-plane.ts';
import { directTo } from './engines/wire/direct.ts';

export interface HandClock extends Clock {
  /** Advances the time, and resolves the sleeps that are over. */
  advance(milliseconds: number): void;
}

/** A clock that advances only when it is set. */
export const makeHandClock = (start = '2026-11-20T10:00:00.000Z'): HandClock => {
  let now = new Date(start).getTime();
  let sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => new Date(now),
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        sleepers.push({ at: now + milliseconds, wake: resolve });
      }),
    advance: (milliseconds) => {
      now += milliseconds;
      const due = sleepers.filter(({ at }) => at <= now);
      sleepers = sleepers.filter(({ at }) => at > now);
      for (const { wake } of due) wake();
    },
  };
};

/** A random source determined only by its seed. */
export const makeSeededRandom = (seed: string): Random => {
  let drawn = 0;
  const bytes = (length: number): Uint8Array => {
    const blocks: Buffer[] = [];
    for (let have = 0; have < length; have += 32) {
      drawn += 1;
      blocks.push(createHash('sha256').update(`${seed} ${drawn}`).digest());
    }
    return new Uint8Array(Buffer.concat(blocks).subarray(0, length));
  };
  return {
    bytes,
    uuid: () => {
      const hex = Buffer.from(bytes(16)).toString('hex');
      return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
    },
  };
};

export interface TestAws {
  readonly account: Account;
  readonly aws: SimulatedAws;
  readonly clock: HandClock;
  readonly dataPlane: DataPlaneRegistry;
  /** What an SDK client needs to reach it: no retries, so that a test sees each error. */
  readonly client: {
    endpoint: string;
    region: string;
    credentials: { accessKeyId: string; secretAccessKey: string };
    maxAttempts: number;
  };
  /** The same for a client whose requests need no sockets, which are most of the time of a test with many calls. */
  readonly direct: TestAws['client'] & { requestHandler: ReturnType<typeof directTo> };
  /** `service:operation` of each answered call, with the error's code if it failed. */
  readonly calls: string[];
}

/** Starts a simulated AWS without sockets of load balancers. The caller closes `aws`. */
export const startTestAws = async (
  settings: Partial<AccountSettings> = {},
  { hasTrail = false }: { hasTrail?: boolean } = {},
): Promise<TestAws> => {
  const clock = makeHandClock();
  const account = createAccount({ clock, random: makeSeededRandom('test'), settings });
  const dataPlane = createDataPlane();
  const calls: string[] = [];
  const aws = await startAws({
    account,
    dataPlane,
    bindListeners: false,
    hasTrail,
    onCall: ({ service, operation }, code) => calls.push(`${service}:${operation}${code ? ` ${code}` : ''}`),
  });
  const client = { endpoint: aws.url, region: 'us-east-1', credentials: account.credentials, maxAttempts: 1 };
  const direct = { ...client, requestHandler: directTo(aws.server, setImmediate) };
  return { account, aws, clock, dataPlane, client, direct, calls };
};

/** The code of the error that a call fails with. Throws if it succeeds. */
export const codeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
  } catch (error) {
    return (error as Error).name;
  }
  throw new Error('the call succeeded');
};
