import type { ClientRequest } from 'node:http';
import { expect, it } from 'vitest';
import type { Invocation } from '../invocations.ts';
import { makeAdversary } from './faults.ts';
import type { Fault, FaultKind } from './kinds.ts';
import { refusalsOf } from './refusal-codes.ts';
import type { Sending } from './strikes.ts';

const REPEATED = 'ec2:CreateVpc';

const play = (fault: Fault, { name = REPEATED, hasCaller = true, seed = 1 } = {}) => {
  let now = 0;
  const idlers: (() => void)[] = [];
  const told: string[] = [];
  const sent: string[] = [];
  const adversary = makeAdversary({
    ...{ faults: [fault], faultsAt: () => [], seed, now: () => now },
    happen: (_kind, onIdle) => idlers.push(onIdle),
    isRunning: () => false,
    tell: (text) => told.push(text),
    later: () => {},
    abortCaller: () => hasCaller,
  });
  const invocation = { process: { name: 'fn' }, event: { step: 'network' } } as unknown as Invocation;
  const request = {} as ClientRequest;
  const what = { name, isEffect: true, isAws: true };
  const sending: Sending = { request, what, invocation, body: '', send: () => sent.push(name) };
  adversary.carry(sending);
  const codeOf = (called: string): string | undefined => {
    const [service = '', operation = ''] = called.split(':');
    try {
      adversary.admit({ service, operation });
      return undefined;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { adversary, told, sent, idlers, codeOf, pass };
};

const at = (kind: FaultKind): Fault => ({ effect: 1, kind });

it('counts a fault that did something as a fault, and no other', () => {
  const aborted = play(at('execution aborted'));
  expect(aborted.adversary.struck).toEqual(['execution aborted at fn network ec2:CreateVpc']);
  expect(aborted.adversary.idle).toEqual([]);

  const idle = play(at('execution aborted'), { hasCaller: false });
  expect(idle.adversary.struck).toEqual([]);
  expect(idle.adversary.idle).toEqual(['execution aborted at fn network ec2:CreateVpc']);
  expect(idle.told).toEqual(['FAULT execution aborted at fn network ec2:CreateVpc (nothing to do)']);
  expect(idle.sent).toEqual([REPEATED]);
  expect(idle.adversary.hasMet()).toBe(true);
});

it('no longer counts a fault of the surroundings once it turns out that it had nothing to do', () => {
  const { adversary, idlers } = play(at('worker deleted'));
  expect(adversary.struck).toEqual(['worker deleted at fn network ec2:CreateVpc']);
  for (const onIdle of idlers) onIdle();
  expect([adversary.struck, adversary.idle]).toEqual([[], ['worker deleted at fn network ec2:CreateVpc']]);
});

it.each([
  ['ec2:CreateVpc', 'RequestLimitExceeded'],
  ['s3:PutObject', 'SlowDown'],
  ['elasticloadbalancing:CreateListener', 'Throttling'],
  ['dynamodb:PutItem', 'ThrottlingException'],
])('throttles %s with %s for three seconds', (name, code) => {
  const { adversary, codeOf, pass } = play(at('throttled'), { name });
  expect(codeOf(name)).toBe(code);
  expect(codeOf(`${name}s`)).toBeUndefined();
  expect(adversary.isBusy()).toBe(true);
  pass(3_000);
  expect(codeOf(name)).toBeUndefined();
  expect(adversary.isBusy()).toBe(false);
});

it('throttles the API server of the workload cluster with 429', () => {
  const { adversary } = play(at('throttled'), { name: 'workload:PATCH' });
  expect(adversary.refusalOf('workload:PATCH')).toMatchObject({ status: 429 });
  expect(adversary.refusalOf('workload:GET')).toBeUndefined();
});

it('refuses an operation with a code that the seed and the effect determine, and names it', () => {
  const codes = Array.from({ length: 200 }, (_, index) => {
    const { adversary, codeOf } = play(at('AWS refuses'), { seed: index });
    const code = codeOf(REPEATED);
    expect(adversary.struck).toEqual([`AWS refuses, ${code}, at fn network ec2:CreateVpc`]);
    return code;
  });
  expect(new Set(codes)).toEqual(new Set(refusalsOf(REPEATED).map((refusal) => refusal.code)));
  expect(play(at('AWS refuses'), { seed: 7 }).codeOf(REPEATED)).toBe(codes[7]);
});

it('refuses all calls to a service while its credentials are not accepted', () => {
  const isForbidden = (seed: number): boolean =>
    play(at('AWS refuses'), { seed }).codeOf(REPEATED) === 'UnauthorizedOperation';
  const seed = Array.from({ length: 200 }, (_, index) => index).find(isForbidden) ?? 0;
  const { codeOf } = play(at('AWS refuses'), { seed });
  expect(codeOf('ec2:DescribeVpcs')).toBe('UnauthorizedOperation');
  expect(codeOf('dynamodb:PutItem')).toBeUndefined();
});

it('has nothing to refuse in a service without known codes', () => {
  const { adversary, sent } = play(at('AWS refuses'), { name: 'fis:StartExperiment' });
  expect(adversary.idle).toEqual(['AWS refuses at fn network fis:StartExperiment']);
  expect(sent).toEqual(['fis:StartExperiment']);
});
