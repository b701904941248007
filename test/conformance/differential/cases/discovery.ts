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

/** What clients ask before anything else. Lists are narrowed to what both servers have: see `normaliseDiscovery`. */
export const DISCOVERY: readonly Scenario[] = [
  {
    name: 'discovery: names groups and kinds',
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
    ],
  },
  {
    name: 'reviews: tell who one is and what one may do',
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
    ],
  },
];
