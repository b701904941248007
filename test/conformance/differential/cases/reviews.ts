import type { JsonObject } from '../../../../shared/kube-api/json.ts';
import type { Asked } from '../endpoint.ts';
import type { Scenario } from '../scenario.ts';
import { AS_PARTIAL, AS_TABLE, accept, post, send, type } from './requests.ts';

/** Access reviews: how they are decoded, refused and returned. The decisions are those for an administrator. */

const GROUP = '/apis/authorization.k8s.io/v1';
const SELF = `${GROUP}/selfsubjectaccessreviews`;

const review = (kind: string, spec: unknown, more: object = {}): JsonObject => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind,
  spec,
  ...more,
});

const ofSelf = (spec: unknown, more: object = {}, query = ''): Asked =>
  post(`${SELF}${query}`, review('SelfSubjectAccessReview', spec, more));

const ofSubject = (spec: unknown): Asked => post(`${GROUP}/subjectaccessreviews`, review('SubjectAccessReview', spec));

const SECRETS = { verb: 'get', resource: 'secrets' };

const self: Scenario = {
  name: 'reviews: are about the user',
  steps: (namespace) => [
    ...[undefined, null, [], 'x', 7, {}].map((spec) => ofSelf(spec)),
    ...[null, {}, [], 'x', { verb: 7 }, { ...SECRETS, bogus: 1 }].map((resourceAttributes) =>
      ofSelf({ resourceAttributes }),
    ),
    ...['Strict', 'Ignore', 'Sometimes'].map((validation) =>
      ofSelf({ resourceAttributes: { ...SECRETS, bogus: 1 } }, {}, `?fieldValidation=${validation}`),
    ),
    ofSelf({ bogus: 1, resourceAttributes: SECRETS }),
    ofSelf({ nonResourceAttributes: {} }),
    ofSelf({ nonResourceAttributes: { path: 7 } }),
    ofSelf({ resourceAttributes: {}, nonResourceAttributes: {}, bogus: 1 }),
    ofSelf({ resourceAttributes: { ...SECRETS, namespace, group: '', version: 'v1', subresource: '', name: '' } }),
    ofSelf({ resourceAttributes: SECRETS }, {}, '?dryRun=x'),
    ofSelf({ resourceAttributes: SECRETS }, {}, '?dryRun=All'),
  ],
};

const whole: Scenario = {
  name: 'reviews: have metadata, a status and a type',
  steps: (namespace) => [
    ...[
      { metadata: { name: 'x', namespace: 'y', labels: { a: 'b' } } },
      { metadata: { generateName: 'x' } },
      { metadata: { name: '', generation: 0, creationTimestamp: null } },
      { metadata: { namespace } },
      { metadata: null },
      { metadata: 'x' },
      { status: { allowed: true, reason: 'mine' } },
      { status: 'x' },
      { bogus: 1 },
      { apiVersion: 'authorization.k8s.io/v1beta1' },
      { apiVersion: 'v1' },
      { apiVersion: '' },
      { kind: '' },
      { apiVersion: undefined, kind: undefined },
      { kind: 'SubjectAccessReview' },
    ].map((more) => ofSelf({ resourceAttributes: SECRETS }, more)),
    ...['', '{', 'null', '[]', '{"spec":{"resourceAttributes":{"verb":"get","verb":"list"}}}'].map((body) =>
      post(SELF, body),
    ),
    post(`${SELF}?fieldValidation=Strict`, '{"spec":{"resourceAttributes":{"verb":"get","verb":"list"}}}'),
    post(
      SELF,
      JSON.stringify(review('SelfSubjectAccessReview', { resourceAttributes: SECRETS })),
      type('application/yaml'),
    ),
    ...[AS_TABLE, AS_PARTIAL, accept('application/xml'), accept('application/json;as=Table;v=v1;g=meta.k8s.io')].map(
      (headers) => ({ ...ofSelf({ resourceAttributes: SECRETS }), headers }),
    ),
    send('HEAD', SELF),
    post(`${GROUP}/namespaces/${namespace}/selfsubjectaccessreviews`, {}),
    post(`${GROUP}/namespaces/${namespace}/subjectaccessreviews`, {}),
    post(`${GROUP}/localsubjectaccessreviews`, {}),
  ],
};

const selectors: Scenario = {
  name: 'reviews: have selectors',
  steps: (namespace) => {
    const by = (member: string) => (selector: unknown) =>
      ofSelf({ resourceAttributes: { verb: 'list', resource: 'secrets', namespace, [member]: selector } });
    const requirement = (key?: string, operator?: string, values?: unknown) => ({
      requirements: [{ key, operator, values }],
    });
    const either = [
      null,
      {},
      'x',
      { rawSelector: '' },
      { rawSelector: 'a=b' },
      { rawSelector: 'a=b,c' },
      { rawSelector: '!!' },
      { rawSelector: 7 },
      { requirements: [] },
      { requirements: 'x' },
      { requirements: [{}] },
      { requirements: [{ key: 'a', operator: 'In', values: ['b'], bogus: 1 }] },
      { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] },
      { bogus: 1 },
      requirement('a', 'In', ['b']),
      requirement('a', 'NotIn', ['b', 'c']),
      requirement('a', 'In'),
      requirement('a', 'In', []),
      requirement('a', 'Exists'),
      requirement('a', 'DoesNotExist', ['x']),
      requirement('a', 'Bogus', ['x']),
      requirement('', 'In', ['x']),
      requirement('not a key', 'In', ['not a value!']),
    ];
    const both = { fieldSelector: { rawSelector: '!!' }, labelSelector: { rawSelector: '!!' } };
    return [
      ...either.map(by('labelSelector')),
      ...either.map(by('fieldSelector')),
      ofSelf({ resourceAttributes: { ...SECRETS, ...both } }),
    ];
  },
};

const others: Scenario = {
  name: 'reviews: are about others',
  steps: (namespace) => {
    const local = (spec: unknown, metadata?: object): Asked =>
      post(
        `${GROUP}/namespaces/${namespace}/localsubjectaccessreviews`,
        review('LocalSubjectAccessReview', spec, { metadata }),
      );
    const inside = { user: 'x', groups: ['system:masters'], resourceAttributes: { ...SECRETS, namespace } };
    return [
      ...[
        {},
        { resourceAttributes: SECRETS },
        { user: 'x' },
        { group: ['a'], resourceAttributes: SECRETS },
        { user: 7, resourceAttributes: SECRETS },
        { user: 'x', groups: 'a', resourceAttributes: SECRETS },
        { user: 'x', groups: [1], resourceAttributes: SECRETS },
        { user: 'x', extra: 'b', resourceAttributes: SECRETS },
        { user: 'x', extra: { a: 'b' }, resourceAttributes: SECRETS },
        { user: null, groups: null, resourceAttributes: SECRETS },
        { user: '', groups: [], nonResourceAttributes: { path: '/', verb: 'get' }, resourceAttributes: SECRETS },
        { user: 'x', uid: 'u', extra: { a: ['b'] }, groups: ['system:masters'], resourceAttributes: SECRETS },
      ].map(ofSubject),
      local(inside),
      local(inside, { namespace }),
      local(inside, { namespace: 'other' }),
      local(inside, { name: 'n' }),
      local({ ...inside, resourceAttributes: SECRETS }),
      local({ ...inside, resourceAttributes: { ...SECRETS, namespace: 'other' } }),
      local({ user: 'x', nonResourceAttributes: { path: '/' } }),
      local({ ...inside, nonResourceAttributes: { path: '/' } }),
      local({}),
    ];
  },
};

export const REVIEW_CASES: readonly Scenario[] = [self, whole, selectors, others];
