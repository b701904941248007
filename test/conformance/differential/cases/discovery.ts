import type { Scenario } from '../scenario.ts';
import { get, post } from './requests.ts';

const AGGREGATED = {
  accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json',
};

const GROUPS = [
  'cluster.x-k8s.io',
  'infrastructure.cluster.x-k8s.io',
  'bootstrap.cluster.x-k8s.io',
  'controlplane.cluster.x-k8s.io',
];

/** The first requests that clients send. Their answers are narrowed to what both servers have; see `narrow.ts`. */
export const DISCOVERY: readonly Scenario[] = [
  {
    name: 'discovery: lists groups and kinds',
    steps: () => [
      get('/api'),
      get('/apis'),
      get('/api', AGGREGATED),
      get('/apis', AGGREGATED),
      get('/api/v1'),
      ...GROUPS.flatMap((group) => [get(`/apis/${group}`), get(`/apis/${group}/v1beta2`)]),
      get('/apis/authorization.k8s.io/v1'),
      get('/apis/authentication.k8s.io/v1'),
      post('/api', {}),
      post('/apis/cluster.x-k8s.io/v1beta2', {}),
      get('/api', { accept: 'application/xml' }),
      get('/apis/rbac.authorization.k8s.io/v1'),
      get('/apis/cluster.x-k8s.io', { accept: 'application/xml' }),
      get('/apis/cluster.x-k8s.io', AGGREGATED),
      post('/apis/rbac.authorization.k8s.io/v1', {}),
    ],
  },
  {
    name: 'reviews: return the identity and permissions of the user',
    steps: (namespace) => [
      post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'SelfSubjectReview',
      }),
      post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { namespace, verb: 'get', resource: 'secrets' } },
      }),
      post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: {},
      }),
      get('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'),
      get('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews/one'),
      post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {
          resourceAttributes: { verb: 'get', resource: 'pods' },
          nonResourceAttributes: { verb: 'get', path: '/' },
        },
      }),
      post(`/apis/authorization.k8s.io/v1/namespaces/${namespace}/localsubjectaccessreviews`, {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'LocalSubjectAccessReview',
        spec: { user: 'someone', nonResourceAttributes: { path: '/' } },
      }),
      post('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectRulesReview',
        spec: {},
      }),
    ],
  },
];
