import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startExtension, type TestExtension } from '../../../shared/extensions/test-extension.ts';
import { createTestApi } from '../test-api.ts';
import { CONFIGURATIONS, testWebhooks, withWebhooks } from './test-webhooks.ts';

const NAMESPACES = '/api/v1/namespaces';
const CORE = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'] };
const RULE = { ...CORE, resources: ['namespaces'] };

const namespace = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...metadata },
});

let server: TestExtension;

beforeAll(async () => {
  server = await startExtension();
});

afterAll(() => server.close());

beforeEach(() => {
  server.requests.length = 0;
});

const { answerWith, webhook } = testWebhooks(() => server);

describe('a webhook for namespaces', () => {
  const life = async (one: object, kind: 'Validating' | 'Mutating' = 'Validating') => {
    server.requests.length = 0;
    const { ask } = await withWebhooks(kind, [one]);
    answerWith({ allowed: true });
    await ask('POST', NAMESPACES, namespace('team'));
    await ask('PATCH', `${NAMESPACES}/team`, { metadata: { labels: { of: 'red' } } });
    await ask('DELETE', `${NAMESPACES}/team`);
    return server.requests.map(({ request }) => request);
  };

  it.each(['Validating', 'Mutating'] as const)(
    'gets the name of the namespace as the namespace of the request: %s',
    async (kind) => {
      const ofTeam = { name: 'team', namespace: 'team' };
      expect(await life(webhook({}, RULE), kind)).toMatchObject([
        { operation: 'CREATE', ...ofTeam },
        { operation: 'UPDATE', ...ofTeam },
        { operation: 'DELETE', ...ofTeam },
      ]);
    },
  );

  it('gets no namespace in the request if the name has not been generated yet', async () => {
    const { ask } = await withWebhooks('Mutating', [webhook({}, RULE)]);
    answerWith({ allowed: true });
    await ask('POST', NAMESPACES, namespace('', { generateName: 'team-' }));
    expect(server.requests[0]?.request).not.toHaveProperty('namespace');
  });

  it('matches namespaces as cluster-scoped objects', async () => {
    expect(await life(webhook({}, { ...RULE, scope: 'Namespaced' }))).toEqual([]);
    expect(await life(webhook({}, { ...RULE, scope: 'Cluster' }))).toHaveLength(3);
  });

  it('selects namespaces by the labels that they have or are about to get', async () => {
    const red = webhook({ namespaceSelector: { matchLabels: { of: 'red' } } }, RULE);
    expect(await life(red)).toMatchObject([{ operation: 'UPDATE' }, { operation: 'DELETE' }]);
  });
});

describe('an admission policy for namespaces', () => {
  const setUp = async (spec: object, bound: object = {}) => {
    const { ask } = createTestApi().admin;
    const policy = { matchConstraints: { resourceRules: [RULE] }, ...spec };
    const binding = { policyName: 'policy', validationActions: ['Deny'], ...bound };
    for (const [kind, plural, of] of [
      ['ValidatingAdmissionPolicy', 'validatingadmissionpolicies', policy],
      ['ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', binding],
    ] as const) {
      const apiVersion = 'admissionregistration.k8s.io/v1';
      const body = { apiVersion, kind, metadata: { name: 'policy' }, spec: of };
      expect(await ask('POST', `${CONFIGURATIONS}/${plural}`, body)).toMatchObject({ code: 201 });
    }
    return ask;
  };

  it('can use request.namespace, and has no namespaceObject', async () => {
    const ask = await setUp({
      validations: [
        { expression: 'request.namespace == request.name && !request.namespace.startsWith("kube-")' },
        { expression: 'namespaceObject == null' },
      ],
    });
    expect(await ask('POST', NAMESPACES, namespace('team'))).toMatchObject({ code: 201 });
    expect(await ask('POST', NAMESPACES, namespace('kube-team'))).toMatchObject({ code: 422 });
    expect(await ask('DELETE', `${NAMESPACES}/team`)).toMatchObject({ code: 200 });
  });

  it('reads its parameters in the namespace that the request is about', async () => {
    const ask = await setUp(
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: { resourceRules: [{ ...RULE, operations: ['UPDATE'] }] },
        validations: [{ expression: 'object.metadata.labels.of == params.data.of' }],
      },
      { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } },
    );
    await ask('POST', NAMESPACES, namespace('team'));
    await ask('POST', `${NAMESPACES}/team/configmaps`, { metadata: { name: 'limits' }, data: { of: 'red' } });
    const label = (of: string) => ask('PATCH', `${NAMESPACES}/team`, { metadata: { labels: { of } } });
    expect(await label('red')).toMatchObject({ code: 200 });
    expect(await label('blue')).toMatchObject({ code: 422 });
  });
});
