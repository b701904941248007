import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startExtension, type TestExtension } from '../../../shared/extensions/test-extension.ts';
import { WIDGETS, widget } from '../custom/test-widgets.ts';
import { CONFIGURATIONS, configuration, patching, testWebhooks, withWebhooks } from './test-webhooks.ts';

let server: TestExtension;

beforeAll(async () => {
  server = await startExtension();
});

afterAll(() => server.close());

beforeEach(() => {
  server.requests.length = 0;
});

const { answerWith, webhook } = testWebhooks(() => server);

const UNNAMED = { ...widget('', { color: 'red' }), metadata: { generateName: 'made-' } };
const FAULTY = { matchConditions: [{ name: 'faulty', expression: 'object.spec.none == 1' }] };

const requests = () => server.requests.map(({ request }) => request as { name?: string; object: { metadata: object } });

describe('the name in an admission request', () => {
  it('is absent before and after the name is generated, for mutating and for validating webhooks', async () => {
    const { ask } = await withWebhooks('Mutating', [webhook()]);
    const validating = configuration('ValidatingWebhookConfiguration', webhook());
    await ask('POST', `${CONFIGURATIONS}/validatingwebhookconfigurations`, validating);
    answerWith({ allowed: true });
    const { body } = await ask('POST', WIDGETS, UNNAMED);
    expect(body.metadata.name).toMatch(/^made-.+/);
    const [mutated, validated] = requests();
    expect(mutated).not.toHaveProperty('name');
    expect(validated).not.toHaveProperty('name');
    expect(mutated?.object.metadata).not.toHaveProperty('name');
    expect(validated?.object.metadata).toMatchObject({ name: body.metadata.name });
  });

  it('stays that of the original request if a mutating webhook renames the object', async () => {
    const { ask } = await withWebhooks('Mutating', [webhook({}, {}, 'mutating')]);
    const validating = configuration('ValidatingWebhookConfiguration', webhook({}, {}, 'validating'));
    await ask('POST', `${CONFIGURATIONS}/validatingwebhookconfigurations`, validating);
    answerWith((_, path) =>
      path.startsWith('/mutating')
        ? patching({ op: 'replace', path: '/metadata/name', value: 'two' })
        : { allowed: true },
    );
    expect(await ask('POST', WIDGETS, widget('one'))).toMatchObject({ code: 201, body: { metadata: { name: 'two' } } });
    expect(requests()).toMatchObject([{ name: 'one' }, { name: 'one', object: { metadata: { name: 'two' } } }]);
  });

  it.each([
    ['Mutating', /^widgets.example.com "made-" is forbidden: /],
    ['Validating', /^widgets.example.com "made-.+" is forbidden: /],
  ] as const)('is replaced in a denial by what is known of the generated name: %s', async (kind, message) => {
    const { ask } = await withWebhooks(kind, [webhook(FAULTY)]);
    const refused = await ask('POST', WIDGETS, UNNAMED);
    expect(refused).toMatchObject({ code: 403, body: { message: expect.stringMatching(message) } });
  });
});
