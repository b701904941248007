import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startExtension, type TestExtension } from '../../../shared/extensions/test-extension.ts';
import type { AuditRecord } from '../../../shared/kube-api/server/audit.ts';
import { WebhookFault } from '../../../shared/kube-api/webhooks/errors.ts';
import type { CallWebhook } from '../../../shared/kube-api/webhooks/invocation.ts';
import { jsonLog } from '../../../shared/log.ts';
import { WIDGETS, widget } from '../custom/test-widgets.ts';
import { ARN } from '../test-api.ts';
import { patching, testWebhooks, withWebhooks } from './test-webhooks.ts';

let server: TestExtension;

beforeAll(async () => {
  server = await startExtension();
});

afterAll(() => server.close());

beforeEach(() => {
  server.asked.length = 0;
});

const { answerWith, webhook } = testWebhooks(() => server);

const IGNORED = { failurePolicy: 'Ignore' };
const START = 'Internal error occurred: failed calling webhook "policy.example.com": ';

const encoded = (text: string) => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(text).toString('base64'),
});

describe('an ignored failure', () => {
  const setUp = async (kind: 'Validating' | 'Mutating', ...webhooks: object[]) => {
    const lines: string[] = [];
    const { another } = await withWebhooks(kind, webhooks, { log: jsonLog((line) => lines.push(line)) });
    const records: AuditRecord[] = [];
    const request = new Request(`https://api${WIDGETS}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(widget('one')),
    });
    const user = { name: ARN('WindlassAdmin'), groups: ['system:masters', 'system:authenticated'] };
    const response = await another()(request, user, '', (record) => void records.push(record));
    expect(response.status).toBe(201);
    const failures = lines.map((line) => JSON.parse(line)).filter(({ webhook: name }) => name !== undefined);
    return { annotations: records[0]?.annotations, failures };
  };

  const named = (name: string, more: object = {}, path = name) =>
    webhook({ name: `${name}.example.com`, ...IGNORED, ...more }, {}, path);
  const unmatched = { objectSelector: { matchLabels: { no: 'such' } } };

  beforeEach(() => {
    answerWith(({ request }, path) => {
      if (path.startsWith('/down')) return { uid: 'other' };
      const { size = 0 } = (request.object.spec ?? {}) as { size?: number };
      return path.startsWith('/grow')
        ? patching({ op: 'add', path: '/spec/size', value: size + 1 })
        : { allowed: true };
    });
  });

  it('of a validating webhook is in the audit record and in the log, with its index among the webhooks that are called', async () => {
    const hooks = [named('skipped', unmatched), named('fine'), named('down')];
    const { annotations, failures } = await setUp('Validating', ...hooks);
    expect(annotations).toEqual({
      'failed-open.validating.webhook.admission.k8s.io/round_0_index_1': 'down.example.com',
    });
    expect(failures).toEqual([
      {
        level: 'WARN',
        message: 'A webhook failed, and its failure policy is Ignore',
        webhook: 'down.example.com',
        phase: 'validating',
        reason: expect.stringMatching(/^received invalid webhook response: expected response.uid=.* got "other"$/),
      },
    ]);
  });

  it('of a mutating webhook is in the audit record for each round, with its index among all webhooks', async () => {
    const hooks = [named('skipped', unmatched), named('down', { reinvocationPolicy: 'IfNeeded' }), named('grow')];
    const { annotations, failures } = await setUp('Mutating', ...hooks);
    expect(annotations).toEqual({
      'failed-open.mutation.webhook.admission.k8s.io/round_0_index_1': 'down.example.com',
      'failed-open.mutation.webhook.admission.k8s.io/round_1_index_1': 'down.example.com',
    });
    expect(failures).toHaveLength(2);
  });

  it('is recorded if the patch is undecodable', async () => {
    answerWith(encoded('{"x":1}'));
    const { annotations, failures } = await setUp('Mutating', named('patch'));
    expect(Object.values(annotations ?? {})).toEqual(['patch.example.com']);
    expect(failures).toMatchObject([{ reason: expect.stringContaining('undecodable patch') }]);
  });

  it('has a log entry of limited length, whatever the server answers', async () => {
    answerWith({ uid: 'x'.repeat(100_000) });
    const { failures } = await setUp('Validating', named('down'));
    expect(failures[0].reason).toHaveLength(512);
  });
});

describe('a request that has run out of time', () => {
  /** Webhooks that each use up the time that they are given, and then fail. */
  const slow = async (kind: 'Validating' | 'Mutating', count: number, of: object) => {
    const given: number[] = [];
    let wait = (_: number): unknown => undefined;
    const callWebhook: CallWebhook = async ({ timeoutSeconds }) => {
      given.push(timeoutSeconds);
      wait(timeoutSeconds * 1000);
      throw new WebhookFault('failed to call webhook: context deadline exceeded');
    };
    const hooks = Array.from({ length: count }, (_, at) =>
      webhook({ name: `n${at}.example.com`, timeoutSeconds: 25, ...of }),
    );
    const api = await withWebhooks(kind, hooks, { callWebhook });
    wait = api.wait;
    return {
      given,
      answer: await api.ask('POST', WIDGETS, widget('one')),
      after: await api.ask('GET', `${WIDGETS}/one`),
    };
  };
  const TIMEOUT = {
    code: 504,
    body: { reason: 'Timeout', message: 'Timeout: request did not complete within requested timeout' },
  };

  it.each(['Validating', 'Mutating'] as const)('is refused even if failures are ignored: %s', async (kind) => {
    const { given, answer, after } = await slow(kind, 4, IGNORED);
    expect(given).toEqual([25, 25, 10]);
    expect(answer).toMatchObject(TIMEOUT);
    expect(after).toMatchObject({ code: 404 });
  });

  it('is refused even if no webhook remains to be called', async () => {
    expect(await slow('Mutating', 3, IGNORED)).toMatchObject({ given: [25, 25, 10], answer: TIMEOUT });
    expect(await slow('Mutating', 2, IGNORED)).toMatchObject({ given: [25, 25], answer: { code: 201 } });
  });
});

describe('an invalid patch', () => {
  it.each([
    ['is an object', encoded('{"x":1}')],
    ['is not JSON', encoded('password')],
    ['has items that are no operations', encoded('[1]')],
  ])('counts as a failed call, which the failure policy handles: one that %s', async (_, answer) => {
    answerWith({ ...answer, warnings: ['heard'] });
    const strict = await withWebhooks('Mutating', [webhook()]);
    expect(await strict.ask('POST', WIDGETS, widget('one'))).toMatchObject({
      code: 500,
      body: { message: `${START}received undecodable patch in webhook response: it is not a list of operations` },
    });
    const lenient = await withWebhooks('Mutating', [webhook(IGNORED)]);
    const created = await lenient.send('POST', WIDGETS, widget('one'));
    expect(created.status).toBe(201);
    expect(created.headers.get('warning')).toBe('299 - "heard"');
  });

  it('has a type other than JSONPatch', async () => {
    answerWith({ ...patching({ op: 'remove', path: '/spec' }), patchType: 'Merge' });
    const strict = await withWebhooks('Mutating', [webhook()]);
    const refused = await strict.ask('POST', WIDGETS, widget('one'));
    expect(refused).toMatchObject({ code: 500, body: { message: `${START}unsupported patch type "Merge"` } });
    const lenient = await withWebhooks('Mutating', [webhook(IGNORED)]);
    expect(await lenient.ask('POST', WIDGETS, widget('one'))).toMatchObject({ code: 201 });
  });

  it('is ignored if the webhook denies the request, and changes nothing if it is null', async () => {
    const { ask } = await withWebhooks('Mutating', [webhook()]);
    answerWith({ ...encoded('{"x":1}'), allowed: false });
    expect(await ask('POST', WIDGETS, widget('one'))).toMatchObject({ code: 400 });
    answerWith(encoded('null'));
    expect(await ask('POST', WIDGETS, widget('one'))).toMatchObject({ code: 201 });
  });
});
