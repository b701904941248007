import { describe, expect, it } from 'vitest';
import { createTestServer } from './test-server.ts';

const GROUP = '/apis/authorization.k8s.io/v1';
const SELF = `${GROUP}/selfsubjectaccessreviews`;
const SECRETS = { verb: 'get', resource: 'secrets' };

const { call } = await createTestServer();

const ask = (spec: unknown, { path = SELF, ...more }: { path?: string; [member: string]: unknown } = {}) =>
  call('POST', path, { spec, ...more });

const fieldsOf = ({ body }: Awaited<ReturnType<typeof ask>>): string[] =>
  body.details.causes.map(({ field }: { field: string }) => field);

describe('a review of access', () => {
  it.each<[unknown, string]>([
    [[], 'a list instead of a spec'],
    [{ resourceAttributes: 'x' }, 'a string instead of an object'],
    [{ resourceAttributes: { verb: 7 } }, 'a number instead of a string'],
    [{ resourceAttributes: { labelSelector: { requirements: 'x' } } }, 'a string instead of a list'],
  ])('is refused with 400 for %j: %s', async (spec) => {
    expect((await ask(spec)).code).toBe(400);
  });

  it('drops unknown fields with a warning, or is refused for them in strict mode', async () => {
    const spec = { resourceAttributes: { ...SECRETS, bogus: 1 } };
    const answer = await ask(spec);
    expect(answer.body.spec).toEqual({ resourceAttributes: SECRETS });
    expect(answer.headers.get('warning')).toContain('unknown field \\"spec.resourceAttributes.bogus\\"');
    expect((await ask(spec, { path: `${SELF}?fieldValidation=Strict` })).code).toBe(400);
    const refused = await ask({ bogus: 1 });
    expect(refused.code).toBe(422);
    expect(refused.headers.get('warning')).toContain('spec.bogus');
  });

  it('returns its spec without empty fields', async () => {
    const { body } = await ask({ resourceAttributes: { ...SECRETS, group: '', name: '' } });
    expect(body.spec).toEqual({ resourceAttributes: SECRETS });
  });

  it('is refused with metadata', async () => {
    const answer = await ask({ resourceAttributes: SECRETS }, { metadata: { name: 'x', namespace: 'y' } });
    expect(answer.body.message).toBe(
      '.authorization.k8s.io "" is invalid: metadata: Invalid value: {"name":"x"}: must be empty',
    );
  });

  it('may contain the zero values that Go writes into metadata', async () => {
    const metadata = { name: '', generation: 0, creationTimestamp: null };
    expect((await ask({ resourceAttributes: SECRETS }, { metadata })).code).toBe(201);
  });

  it.each([
    [{}, 'requirements'],
    [{ rawSelector: 'a', requirements: [{ key: 'a' }] }, 'rawSelector'],
    [{ requirements: [{ key: 'a', operator: 'In' }] }, 'requirements[0].values'],
    [{ requirements: [{ key: 'a', operator: 'Exists', values: ['b'] }] }, 'requirements[0].values'],
    [{ requirements: [{ key: '!', operator: 'Exists' }] }, 'requirements[0].key'],
    [{ requirements: [{ key: 'a', operator: 'In', values: ['!'] }] }, 'requirements[0].values[0]'],
  ])('is refused with the label selector %j at %s', async (labelSelector, at) => {
    expect(fieldsOf(await ask({ resourceAttributes: { ...SECRETS, labelSelector } }))).toEqual([
      `spec.resourceAttributes.labelSelector.${at}`,
    ]);
  });

  it('ignores unreadable selectors, and reports that', async () => {
    const unreadable = { fieldSelector: { rawSelector: '!!' }, labelSelector: { rawSelector: '!!' } };
    const { body } = await ask({ resourceAttributes: { ...SECRETS, ...unreadable } });
    expect(body.status).toEqual({
      allowed: true,
      evaluationError:
        'spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error',
    });
  });

  it('of a namespace must refer to that namespace', async () => {
    const path = `${GROUP}/namespaces/default/localsubjectaccessreviews`;
    const inside = { user: 'x', resourceAttributes: { ...SECRETS, namespace: 'default' } };
    expect((await ask(inside, { path })).body.metadata).toEqual({ namespace: 'default' });
    expect((await ask(inside, { path, metadata: { namespace: 'other' } })).code).toBe(400);
    expect(fieldsOf(await ask({ ...inside, resourceAttributes: SECRETS }, { path }))).toEqual([
      'spec.resourceAttributes.namespace',
    ]);
    expect((await ask(inside, { path: `${GROUP}/localsubjectaccessreviews` })).code).toBe(404);
  });

  it('may be returned as YAML or metadata, but not as a table', async () => {
    const form = (accept: string) => call('POST', SELF, { spec: { resourceAttributes: SECRETS } }, { accept });
    expect((await form('application/yaml')).body).toContain('kind: SelfSubjectAccessReview');
    expect((await form('application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io')).body).not.toHaveProperty(
      'spec',
    );
    expect((await form('application/json;as=Table;v=v1;g=meta.k8s.io,application/json')).body.kind).toBe(
      'SelfSubjectAccessReview',
    );
    expect((await form('application/xml')).code).toBe(406);
  });
});
