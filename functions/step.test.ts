import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import type { Clock } from '../shared/clock.ts';
import { ConflictError } from '../shared/errors.ts';
import { jsonLog } from '../shared/log.ts';
import { makeStepHandler, type StepInput } from './step.ts';

const CLOCK: Clock = { now: () => new Date('2026-01-01T00:00:00Z'), sleep: async () => {} };
const EVENT = {
  step: 'endpoint',
  cluster: { namespace: 'default', name: 'red', uid: 'u-1' },
  wanted: 3,
  holder: 'u-1-3',
};

const awsError = (name: string, status: number, message = 'because') =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status, requestId: 'r-1' } });

const handlerWith = (endpoint: (event: StepInput<'cluster-load-balancer'>) => Promise<{ ready: boolean }>) => {
  const lines: Record<string, unknown>[] = [];
  const log = jsonLog((line) => lines.push(JSON.parse(line)));
  const steps = { endpoint, removeEndpoint: async () => ({ done: true }) };
  return { lines, handle: makeStepHandler('cluster-load-balancer', steps, { log, clock: CLOCK }) };
};

describe('a step handler', () => {
  it('runs the step that the event names and logs it once with the keys of the object', async () => {
    const { handle, lines } = handlerWith(async (event) => ({ ready: event.cluster.name === 'red' }));

    const result = await handle(EVENT);

    expect(result).toEqual({ ready: true });
    expect(lines).toEqual([
      expect.objectContaining({
        message: 'step finished',
        function: 'cluster-load-balancer',
        step: 'endpoint',
        cluster: 'red',
        holder: 'u-1-3',
      }),
    ]);
  });

  it('refuses a step that the function does not have and lists those it has', async () => {
    const { handle } = handlerWith(async () => ({ ready: true }));

    await expect(handle({ ...EVENT, step: 'begin' })).rejects.toThrow(
      'cluster-load-balancer has no step "begin"; its steps are endpoint, removeEndpoint',
    );
  });

  it.each([
    { name: 'RequestLimitExceeded', status: 503, becomes: 'Throttled', reason: 'throttling is not a server fault' },
    { name: 'ThrottlingException', status: 400, becomes: 'Throttled', reason: 'modelled names end in Exception' },
    { name: 'InternalError', status: 500, becomes: 'Transient', reason: 'the outcome is unknown' },
    { name: 'SomethingNew', status: 503, becomes: 'Transient', reason: 'any 5xx is temporary' },
    { name: 'RequestTimeout', status: 400, becomes: 'Transient', reason: 'the request did not arrive completely' },
    { name: 'VpcLimitExceeded', status: 400, becomes: 'QuotaExceeded', reason: 'it is a limit of the account' },
    { name: 'TooManyLoadBalancersException', status: 400, becomes: 'QuotaExceeded', reason: 'it is a limit of ELBv2' },
    { name: 'UnauthorizedOperation', status: 403, becomes: 'Refused', reason: 'the role lacks a permission' },
    { name: 'InvalidParameterValue', status: 400, becomes: 'Refused', reason: 'the request is wrong' },
    { name: 'InvalidAMIID.NotFound', status: 400, becomes: 'Refused', reason: 'a user has named the image' },
    { name: 'InvalidVpcID.NotFound', status: 400, becomes: 'Transient', reason: 'the VPC may not be visible yet' },
    { name: 'DependencyViolation', status: 400, becomes: 'Transient', reason: 'the dependency is being deleted' },
  ])('reports $name as $becomes, because $reason', async ({ name, status, becomes }) => {
    const cause = awsError(name, status);
    const { handle, lines } = handlerWith(async () => {
      throw cause;
    });

    const failure = handle(EVENT);

    const message = `${name.replace(/Exception$/, '')}: because (request r-1)`;
    await expect(failure).rejects.toMatchObject({ name: becomes, message, cause });
    expect(lines).toEqual([expect.objectContaining({ message: 'step failed', error: becomes, reason: message })]);
  });

  it('retries a connection that was reset', async () => {
    const { handle } = handlerWith(async () => {
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    });

    await expect(handle(EVENT)).rejects.toMatchObject({ name: 'Transient', message: 'socket hang up' });
  });

  it('does not change unknown errors', async () => {
    const conflict = new ConflictError('newer version');
    const { handle } = handlerWith(async () => {
      throw conflict;
    });

    await expect(handle(EVENT)).rejects.toBe(conflict);
  });

  it('truncates a message in which AWS quotes a long text, so that the workflow can report it', async () => {
    const { handle } = handlerWith(async () => {
      throw awsError('InvalidUserID.Malformed', 400, `Invalid user id: "${'\0'.repeat(200_000)}"`);
    });

    const error = (await handle(EVENT).catch((caught: unknown) => caught)) as Error;

    // As Lambda sends it, and as a workflow passes it to the step that reports it.
    const Cause = JSON.stringify({
      errorType: error.name,
      errorMessage: error.message,
      trace: error.stack?.split('\n'),
    });
    expect(JSON.stringify({ Error: error.name, Cause }).length).toBeLessThan(256 * 1024);
    expect(error).toMatchObject({
      name: 'Refused',
      message: expect.stringMatching(/^InvalidUserID\.Malformed: Invalid/),
    });
    expect(error.stack).toMatch(/\n\s+at /);
  });
});

describe('a step that fails with a message that might quote a secret', () => {
  const CANARY = 'c4nary';
  const failures: [string, () => unknown][] = [
    ['JSON.parse', () => JSON.parse(CANARY)],
    ['BigInt', () => BigInt(CANARY)],
    ['a regular expression', () => new RegExp(`${CANARY}(`)],
    ['a YAML parser', () => parse(`a: [${CANARY}\nb: *${CANARY}`)],
    ['a YAML alias', () => parse(`a: *${CANARY}`)],
    ['a schema', () => z.strictObject({}).parse({ [CANARY]: 1 })],
    ['a header', () => new Headers([['authorization', `${CANARY}\n`]]).append('x', `${CANARY}\u0100`)],
    ['a thrown text', () => Promise.reject(CANARY)],
  ];

  it.each(failures)('reports only the kind of the failure: %s', async (_, fail) => {
    const measured: unknown[] = [];
    const lines: string[] = [];
    const steps = {
      endpoint: async () => {
        await fail();
        return { ready: true };
      },
      removeEndpoint: async () => ({ done: true }),
    };
    const metrics = { add: (...given: unknown[]) => void measured.push(given) };
    const log = jsonLog((line) => lines.push(line));
    const handle = makeStepHandler('cluster-load-balancer', steps, { log, clock: CLOCK, metrics });
    const error = (await handle(EVENT).catch((caught: unknown) => caught)) as Error;
    expect(error).toBeInstanceOf(Error);
    // What Lambda returns to Step Functions and writes into the log.
    const told = [error.name, error.message, error.stack, JSON.stringify(error), inspect(error)].join('\n');
    expect(told).not.toContain(CANARY);
    expect(lines.join('\n')).toContain('step failed');
    expect(lines.join('\n') + JSON.stringify(measured)).not.toContain(CANARY);
  });

  it('keeps the name of the error and the stack frames', async () => {
    const { handle } = handlerWith(async () => JSON.parse(CANARY));
    const error = (await handle(EVENT).catch((caught: unknown) => caught)) as Error;
    expect(error.name).toBe('SyntaxError');
    expect(error.stack).toMatch(/^SyntaxError: its message is withheld.*\n\s+at /);
  });
});
