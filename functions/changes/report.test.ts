import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../shared/clock.ts';
import { jsonLog } from '../../shared/log.ts';
import type { Reporter } from '../../shared/store/limits/reporters.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { makeReport, type Reply } from './report.ts';

const token = (letter: string): string => letter.repeat(43);
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const RED: ClusterRef = { namespace: 'a', name: 'red', uid: '00000000-0000-4000-8000-00000000000a' };
const BLUE: ClusterRef = { namespace: 'b', name: 'blue', uid: '00000000-0000-4000-8000-00000000000b' };
const START = Date.parse('2026-01-02T03:04:05Z');

let now: number;
let stored: Map<string, Reporter>;
let calls: { reads: number; writes: number };
let touched: string[];
let wanted: boolean;
let lines: string[];
let report: ReturnType<typeof makeReport>;
let failTouch: boolean;

/** One process of the function, over the stored state. */
const startProcess = () =>
  makeReport({
    reporters: {
      get: async (uid) => {
        calls.reads += 1;
        return stored.get(uid);
      },
      admit: async (seen, next) => {
        calls.writes += 1;
        const current = stored.get(seen.cluster.uid);
        if (current?.lastAt !== seen.lastAt || current?.digest !== seen.digest) return false;
        stored.set(seen.cluster.uid, { ...seen, ...next });
        return true;
      },
    },
    wantsReports: async () => wanted,
    touch: async ({ name }) => {
      if (failTouch) throw new Error('no answer');
      touched.push(name);
    },
    clock: { now: () => new Date(now) } as Clock,
    log: jsonLog((line) => lines.push(line)),
  });

beforeEach(() => {
  now = START;
  stored = new Map([
    [RED.uid, { cluster: RED, digest: digestOf(token('r')) }],
    [BLUE.uid, { cluster: BLUE, digest: digestOf(token('b')) }],
  ]);
  calls = { reads: 0, writes: 0 };
  touched = [];
  lines = [];
  wanted = true;
  failTouch = false;
  report = startProcess();
});

const send = (uid: string, authorization: string | undefined, bytes = 1000): Promise<Reply> =>
  report({ path: `/hooks/changes/${uid}`, authorization, bytes });
const fromRed = () => send(RED.uid, `Bearer ${token('r')}`);

describe('a report of changes', () => {
  it('starts a pass over its cluster', async () => {
    expect(await fromRed()).toEqual({ status: 200 });
    expect(touched).toEqual(['red']);
  });

  it('is deferred by all processes, at no cost, if there was another one moments ago', async () => {
    await fromRed();
    const before = { ...calls };
    expect(await fromRed()).toEqual({ status: 429, retryAfter: 10 });
    expect(calls).toEqual(before);
    report = startProcess();
    now += 4000;
    expect(await fromRed()).toEqual({ status: 429, retryAfter: 6 });
    now += 6000;
    expect(await fromRed()).toEqual({ status: 200 });
    expect(touched).toEqual(['red', 'red']);
  });

  it('leads to one pass if several arrive at once', async () => {
    const replies = await Promise.all([fromRed(), fromRed(), fromRed()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    expect(touched).toEqual(['red']);
  });

  it('does nothing, and costs no write, if reports are not enabled for the cluster', async () => {
    wanted = false;
    expect(await fromRed()).toEqual({ status: 200 });
    expect([touched, calls.writes]).toEqual([[], 0]);
    wanted = true;
    now += 30_000;
    await fromRed();
    expect(touched).toEqual(['red']);
  });

  it('is repeated by its sender if the pass could not be requested', async () => {
    failTouch = true;
    await expect(fromRed()).rejects.toThrow('no answer');
    failTouch = false;
    now += 10_000;
    expect(await fromRed()).toEqual({ status: 200 });
    expect(touched).toEqual(['red']);
  });

  it.each([
    ['no token', undefined],
    ['an empty token', 'Bearer '],
    ['a short token', 'Bearer abc'],
    ['a token of the management API', `Bearer k8s-aws-v1.${'x'.repeat(60)}`],
    ['another scheme', `Basic ${token('r')}`],
    ['two tokens', `Bearer ${token('r')} ${token('r')}`],
  ])('is refused without a read, with %s', async (_, authorization) => {
    expect(await send(RED.uid, authorization)).toEqual({ status: 401 });
    expect(calls).toEqual({ reads: 0, writes: 0 });
  });

  it.each(['red', '../red', `${RED.uid}/more`, RED.uid.toUpperCase(), '', '%00'])(
    'is refused without a read if the address is %j',
    async (uid) => {
      expect(await send(uid, `Bearer ${token('r')}`)).toEqual({ status: 401 });
      expect(calls.reads).toBe(0);
    },
  );

  it('is refused without a read if it is too large', async () => {
    expect(await send(RED.uid, `Bearer ${token('r')}`, 256 * 1024 + 1)).toEqual({ status: 413 });
    expect(calls.reads).toBe(0);
  });
});

describe('a tenant', () => {
  it('cannot report changes of other clusters with its own token, a guessed one or a digest', async () => {
    for (const guess of [token('r'), token('x'), digestOf(token('b')).slice(0, 43)]) {
      expect(await send(BLUE.uid, `Bearer ${guess}`)).toEqual({ status: 401 });
    }
    expect([touched, calls.writes]).toEqual([[], 0]);
  });

  it('cannot find out which clusters exist', async () => {
    const known = await send(BLUE.uid, `Bearer ${token('r')}`);
    const unknown = await send('00000000-0000-4000-8000-0000000000ff', `Bearer ${token('r')}`);
    expect(known).toEqual(unknown);
  });

  it('that repeats a report endlessly is limited by its budget, and its neighbours keep theirs', async () => {
    const statuses = new Set<number>();
    for (let second = 0; second < 3600; second += 1) {
      statuses.add((await fromRed()).status);
      now += 1000;
    }
    expect(statuses).toEqual(new Set([200, 429]));
    expect(touched.length).toBeLessThanOrEqual(12 + 12);
    // Of 3600 reports, at most one every ten seconds reads the table, and only those that lead to passes write.
    expect(calls.reads).toBeLessThanOrEqual(2 * 360);
    expect(calls.writes).toBe(touched.length);
    expect(await send(BLUE.uid, `Bearer ${token('b')}`)).toEqual({ status: 200 });
    expect(touched.at(-1)).toBe('blue');
  });

  it('that floods an unknown address costs one read in half a minute', async () => {
    for (let index = 0; index < 1000; index += 1)
      await send('00000000-0000-4000-8000-0000000000ff', `Bearer ${token('x')}`);
    expect(calls).toEqual({ reads: 1, writes: 0 });
  });

  it('cannot use a replaced token for more than half a minute', async () => {
    await fromRed();
    stored.set(RED.uid, { cluster: RED, digest: digestOf(token('n')) });
    now += 30_000;
    expect(await fromRed()).toEqual({ status: 401 });
    expect(await send(RED.uid, `Bearer ${token('n')}`)).toEqual({ status: 200 });
  });

  it('does not find its token in a log', async () => {
    await fromRed();
    await send(RED.uid, `Bearer ${token('z')}`);
    expect(lines.join('\n')).toContain('a cluster reported changes');
    expect(lines.join('\n')).not.toMatch(/r{43}|z{43}/);
  });
});
