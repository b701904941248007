import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startExtension, type TestExtension } from '../../../shared/extensions/test-extension.ts';
import { WIDGETS, widget } from '../custom/test-widgets.ts';
import { CONFIGURATIONS, testWebhooks, withWebhooks } from './test-webhooks.ts';

let server: TestExtension;

beforeAll(async () => {
  server = await startExtension();
});

afterAll(() => server.close());

beforeEach(() => {
  server.requests.length = 0;
  server.asked.length = 0;
});

const { answerWith, webhook } = testWebhooks(() => server);

const SCALE = { resources: ['widgets', 'widgets/scale'] };
const LABELLED = widget('one', { color: 'red', replicas: 1 }, { labels: { of: 'red' } });
const RED = { matchLabels: { of: 'red' } };
const UNLABELLED = { matchExpressions: [{ key: 'of', operator: 'DoesNotExist' }] };

describe('a scale counts as an object without labels, whatever the labels of its parent', () => {
  it.each(['Validating', 'Mutating'] as const)('for the objectSelector of a webhook: %s', async (kind) => {
    const hooks = [
      webhook({ name: 'red.example.com', objectSelector: RED }, SCALE, 'red'),
      webhook({ name: 'none.example.com', objectSelector: UNLABELLED }, SCALE, 'none'),
    ];
    const { ask } = await withWebhooks(kind, hooks);
    answerWith({ allowed: true });
    await ask('POST', WIDGETS, LABELLED);
    await ask('PATCH', `${WIDGETS}/one`, { spec: { size: 4 } });
    await ask('PATCH', `${WIDGETS}/one/scale`, { spec: { replicas: 2 } });
    const kinds = server.requests.map(({ request }) => (request as { kind: { kind: string } }).kind.kind);
    expect(kinds).toEqual(['Widget', 'Widget', 'Scale']);
    expect(server.asked.map((path) => path.split('?')[0])).toEqual(['/red', '/red', '/none']);
  });

  it.each([
    ["selects the parent's labels and therefore does not apply", RED, 200],
    ['excludes these labels and therefore applies', UNLABELLED, 422],
  ])('for the objectSelector of a policy that %s', async (_, objectSelector, code) => {
    const { ask } = await withWebhooks('Validating', []);
    await ask('POST', WIDGETS, LABELLED);
    const resourceRules = [
      { apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['widgets/scale'] },
    ];
    const policy = { matchConstraints: { resourceRules, objectSelector }, validations: [{ expression: 'false' }] };
    for (const [kind, spec] of [
      ['ValidatingAdmissionPolicy', policy],
      ['ValidatingAdmissionPolicyBinding', { policyName: 'policy', validationActions: ['Deny'] }],
    ] as const) {
      const plural = kind === 'ValidatingAdmissionPolicy' ? 'validatingadmissionpolicies' : `${kind.toLowerCase()}s`;
      const body = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'policy' }, spec };
      expect(await ask('POST', `${CONFIGURATIONS}/${plural}`, body)).toMatchObject({ code: 201 });
    }
    expect(await ask('PATCH', `${WIDGETS}/one/scale`, { spec: { replicas: 2 } })).toMatchObject({ code });
  });
});
