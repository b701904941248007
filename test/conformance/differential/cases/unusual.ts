import type { Scenario } from '../scenario.ts';
import { AS_PARTIAL_LIST, accept, applyPatch, get, mergePatch, post, put, remove, send, type } from './requests.ts';
import { CONFIG_MAP, MACHINE, type Subject } from './subjects.ts';
import { dots, parameters, paths } from './urls.ts';

/** Rare parameters, formats and paths, and endpoints that do not belong to a kind. */

const queries = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is listed with unusual parameters`,
  steps: (namespace) => {
    const all = collection(namespace);
    const everywhere = all.replace(`/namespaces/${namespace}`, '');
    const list = (query: string) => get(`${all}?${query}`, AS_PARTIAL_LIST);
    return [
      post(all, object('one', { labels: { a: 'b' } })),
      post(all, object('two', { labels: { a: 'c' } })),
      list('labelSelector=a%3Db&labelSelector=a%3Dc'),
      list('limit=1&limit=2'),
      list('watch=false'),
      list('watch=0'),
      list('timeoutSeconds=0'),
      list('timeoutSeconds=-1'),
      list('allowWatchBookmarks=maybe'),
      list('sendInitialEvents=maybe'),
      list('sendInitialEvents=false'),
      list('resourceVersionMatch='),
      list('resourceVersion=&resourceVersionMatch=NotOlderThan'),
      list('resourceVersion=0&resourceVersionMatch=Exact'),
      list('limit=1&continue='),
      list('pretty=maybe'),
      list('dryRun=All'),
      list('%zz'),
      list('LabelSelector=a%3Db'),
      get(`${everywhere}?fieldSelector=metadata.namespace%3D${namespace}`, AS_PARTIAL_LIST),
      get(`${everywhere}?fieldSelector=metadata.namespace%3D${namespace},metadata.name%3Done`, AS_PARTIAL_LIST),
      get(`${all}?fieldSelector=metadata.namespace%3D${namespace}`, AS_PARTIAL_LIST),
      post(everywhere, object('one')),
      put(`${everywhere}/one`, object('one')),
      get(`${all}/${'x'.repeat(254)}`),
      get(collection('Not_A_Namespace')),
      get(`${collection('Not_A_Namespace')}/one`),
      post(collection('Not_A_Namespace'), object('one')),
      post(collection('has.dots'), object('one')),
    ];
  },
});

const formats = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is sent and returned in other formats`,
  steps: (namespace) => {
    const all = collection(namespace);
    const one = `${all}/one`;
    const yaml = JSON.stringify(object('yaml'));
    return [
      post(all, object('one')),
      get(one, accept('application/cbor')),
      get(one, accept('application/cbor,application/json')),
      get(one, accept('application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json')),
      get(one, accept('application/json;stream=watch')),
      get(one, accept('application/json;pretty=1')),
      get(one, accept('*/*;q=0.8')),
      get(one, accept('')),
      get(one, accept('application/json;charset=utf-8')),
      get(one, accept('application/json;as=Table;v=v1;g=meta.k8s.io;includeObject=None')),
      get(one, accept('application/json;as=Table;g=meta.k8s.io')),
      post(all, yaml, type('application/yaml; charset=utf-8')),
      post(all, object('cbor'), type('application/cbor')),
      post(all, object('bom'), type('application/json;charset=utf-16')),
      post(all, object('patch'), type('application/merge-patch+json')),
      post(all, object('form'), type('application/x-www-form-urlencoded')),
      post(all, object('untyped'), type('')),
      post(all, object('upper'), type('APPLICATION/JSON; charset=UTF-8')),
      { ...remove(`${all}/untyped`, '{}'), headers: type('application/x-www-form-urlencoded') },
    ];
  },
});

const review = (kind: string, spec?: object) => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind,
  ...(spec ? { spec } : {}),
});
const REVIEWS = '/apis/authorization.k8s.io/v1';

const others: readonly Scenario[] = [
  {
    name: 'servers: are asked for their health',
    steps: () => [
      ...[
        '/healthz',
        '/livez',
        '/readyz',
        '/readyz/ping',
        '/livez/ping',
        '/healthz/ping',
        '/healthz/bogus',
        '/readyz/',
      ].map((path) => get(path)),
      ...['/readyz', '/version', '/api', '/api/v1', '/apis/rbac.authorization.k8s.io'].map((path) =>
        send('HEAD', path),
      ),
      send('HEAD', '/apis/rbac.authorization.k8s.io/v1'),
      send('HEAD', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'),
      get('/readyz?exclude=etcd'),
      get('/livez', accept('application/json')),
      post('/version', {}),
      get('/api/'),
      get('/apis/'),
      get('/apis/cluster.x-k8s.io/'),
      get('/apis/cluster.x-k8s.io/v1beta2/'),
      send('HEAD', '/apis'),
      send('HEAD', '/apis/cluster.x-k8s.io/v1beta2'),
      send('HEAD', '/openapi/v2'),
      get('/openapi/v3/apis/bogus/v1'),
      get('/swagger.json'),
      get('/favicon.ico'),
    ],
  },
  {
    name: 'reviews: are asked in other ways',
    steps: (namespace) => [
      post(`${REVIEWS}/selfsubjectaccessreviews`, review('SelfSubjectAccessReview')),
      post(`${REVIEWS}/selfsubjectaccessreviews`, review('Other', {})),
      post(
        `${REVIEWS}/selfsubjectaccessreviews`,
        review('SelfSubjectAccessReview', { nonResourceAttributes: { verb: 'get', path: '/version' } }),
      ),
      post(
        `${REVIEWS}/selfsubjectaccessreviews`,
        review('SelfSubjectAccessReview', {
          nonResourceAttributes: { verb: 'get', path: '/' },
          resourceAttributes: { verb: 'get' },
        }),
      ),
      post(
        `${REVIEWS}/selfsubjectaccessreviews`,
        review('SelfSubjectAccessReview', { resourceAttributes: { verb: '*', group: '*', resource: '*' } }),
      ),
      post(
        `${REVIEWS}/selfsubjectaccessreviews`,
        review('SelfSubjectAccessReview', {
          resourceAttributes: {
            namespace,
            verb: 'list',
            resource: 'secrets',
            fieldSelector: { rawSelector: 'metadata.name=x' },
          },
        }),
      ),
      post(
        `${REVIEWS}/selfsubjectaccessreviews`,
        review('SelfSubjectAccessReview', {
          resourceAttributes: {
            namespace,
            verb: 'list',
            resource: 'secrets',
            labelSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
          },
        }),
      ),
      post(
        `${REVIEWS}/subjectaccessreviews`,
        review('SubjectAccessReview', { user: '', resourceAttributes: { verb: 'get' } }),
      ),
      post(
        `${REVIEWS}/subjectaccessreviews`,
        review('SubjectAccessReview', {
          groups: ['system:masters'],
          resourceAttributes: { verb: 'get', resource: 'secrets' },
        }),
      ),
      post(
        `${REVIEWS}/namespaces/${namespace}/localsubjectaccessreviews`,
        review('LocalSubjectAccessReview', {
          user: 'someone',
          resourceAttributes: { verb: 'get', resource: 'secrets', namespace: 'other' },
        }),
      ),
      post(`${REVIEWS}/selfsubjectrulesreviews`, review('SelfSubjectRulesReview', { namespace: '' })),
      send('PUT', `${REVIEWS}/selfsubjectaccessreviews/x`, {}, review('SelfSubjectAccessReview', {})),
      send('DELETE', `${REVIEWS}/selfsubjectaccessreviews`),
      post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'SelfSubjectReview',
        metadata: { name: 'x' },
      }),
      post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}),
    ],
  },
  {
    name: 'Namespace: has finalizers in its spec',
    steps: (namespace) => {
      const name = `${namespace}-other`;
      const path = `/api/v1/namespaces/${name}`;
      const object = (finalizers: unknown, metadata: object = {}) => ({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, ...metadata },
        spec: { finalizers },
      });
      const { spec: _, ...withoutSpec } = object([]);
      return [
        post('/api/v1/namespaces', object(['not a name/x'])),
        post('/api/v1/namespaces', object(['nodomain'])),
        post('/api/v1/namespaces', object([null])),
        post('/api/v1/namespaces', object(['example.com/a'])),
        ...['GET', 'HEAD', 'POST', 'DELETE'].map((method) => send(method, `${path}/finalize`)),
        mergePatch(`${path}/finalize`, {}),
        get(`${path}/finalize/more`),
        put(`${path}/finalize`, object(['example.com/b', 'kubernetes'])),
        get(path),
        put(`${path}/finalize`, {
          ...object(['kubernetes'], { labels: { a: 'b' } }),
          status: { phase: 'Terminating' },
        }),
        put(`${path}/finalize`, object(['kubernetes'], { resourceVersion: '1' })),
        put(`${path}/finalize`, object(['kubernetes'], { name: 'wrong' })),
        put(`${path}/finalize?dryRun=All`, object(['example.com/c', 'kubernetes'])),
        put(`/api/v1/namespaces/missing/finalize`, { ...withoutSpec, metadata: { name: 'missing' } }),
        put(path, object(['example.com/d'])),
        get(path),
      ];
    },
  },
  {
    name: 'Namespace: keeps its finalizer',
    steps: (namespace) => {
      const path = `/api/v1/namespaces/${namespace}`;
      const object = (more: object = {}) => ({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace },
        ...more,
      });
      return [
        put(`${path}/status`, object({ status: { phase: 'Active' } })),
        applyPatch(`${path}?fieldManager=m`, object({ spec: {} })),
        mergePatch(path, { spec: { finalizers: null } }),
        get(path),
      ];
    },
  },
];

export const UNUSUAL: readonly Scenario[] = [
  ...[MACHINE, CONFIG_MAP].flatMap((subject) => [paths(subject), parameters(subject), dots(subject)]),
  ...[MACHINE, CONFIG_MAP].flatMap((subject) => [queries(subject), formats(subject)]),
  ...others,
];
