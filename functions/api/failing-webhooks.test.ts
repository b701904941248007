import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startExtension, type TestExtension } from '../../shared/extensions/test-extension.ts';
import { patching, testWebhooks, withWebhooks } from './test-webhooks.ts';
import { WIDGETS, widget } from './test-widgets.ts';

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

describe('a patch that cannot be read', () => {
  it.each([
    ['is an object', encoded('{"x":1}')],
    ['is no JSON', encoded('password')],
    ['has items that are no operations', encoded('[1]')],
  ])('is a failed call, which the failure policy decides on: one that %s', async (_, answer) => {
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

  it('has another type than that of JSON patches', async () => {
    answerWith({ ...patching({ op: 'remove', path: '/spec' }), patchType: 'Merge' });
    const strict = await withWebhooks('Mutating', [webhook()]);
    const refused = await strict.ask('POST', WIDGETS, widget('one'));
    expect(refused).toMatchObject({ code: 500, body: { message: `${START}unsupported patch type "Merge"` } });
    const lenient = await withWebhooks('Mutating', [webhook(IGNORED)]);
    expect(await lenient.ask('POST', WIDGETS, widget('one'))).toMatchObject({ code: 201 });
  });

  it('is not looked at where the webhook refuses, and changes nothing where it is null', async () => {
    const { ask } = await withWebhooks('Mutating', [webhook()]);
    answerWith({ ...encoded('{"x":1}'), allowed: false });
    expect(await ask('POST', WIDGETS, widget('one'))).toMatchObject({ code: 400 });
    answerWith(encoded('null'));
    expect(await ask('POST', WIDGETS, widget('one'))).toMatchObject({ code: 201 });
  });
});
