import type { Asked } from '../endpoint.ts';
import type { Scenario } from '../scenario.ts';
import { get, post } from './requests.ts';
import { CLUSTER, CONFIG_MAP, MACHINE, MACHINE_DEPLOYMENT, type Subject } from './subjects.ts';

const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Asked => ({
  method,
  path,
  body,
  headers,
});

const type = (value: string) => ({ 'content-type': value });

const bodiesOf = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is sent with malformed bodies`,
  steps: (namespace) => {
    const all = collection(namespace);
    const text = JSON.stringify(object('one'));
    return [
      post(all, ''),
      post(all, '{'),
      post(all, text.slice(0, -10)),
      post(all, 'null'),
      post(all, '[]'),
      post(all, '"text"'),
      post(all, '7'),
      post(all, `${text} trailing`),
      post(all, text, type('application/yaml')),
      post(all, 'a: [', type('application/yaml')),
      post(all, text, type('text/plain')),
      post(all, text, type('application/xml')),
      post(all, text, type('nonsense')),
      post(all, text, type('application/json; charset=utf-8')),
      post(all, 'k8s', type('application/vnd.kubernetes.protobuf')),
      post(all, text.replace('"metadata":{', '"metadata":{"name":"twice",')),
      post(`${all}?fieldValidation=Strict`, text.replace('"metadata":{', '"metadata":{"name":"twice",')),
      post(all, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
      post(all, Buffer.from(JSON.stringify(object('bytes', { labels: { a: 'b\xff' } })), 'latin1')),
      post(all, Buffer.from(JSON.stringify(object('bytes', { annotations: { a: 'b\xffc' } })), 'latin1')),
      post(all, `\ufeff${text}`),
      post(all, JSON.stringify(object('marked')).replace(/^/, '\ufeff'), type('application/yaml')),
      send('PATCH', `${all}/marked`, '\ufeff{}', type('application/merge-patch+json')),
      send('PATCH', `${all}/marked`, '\ufeff[]', type('application/json-patch+json')),
      send(
        'PATCH',
        `${all}/marked?fieldManager=m`,
        `\ufeff${JSON.stringify(object('marked'))}`,
        type('application/apply-patch+yaml'),
      ),
      send('DELETE', `${all}/marked`, '\ufeff{}'),
      send('DELETE', `${all}/marked`),
      post(all, `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`),
      post(
        all,
        `{"apiVersion":"v1","kind":"X","metadata":{"name":"big","annotations":{"a":"${'x'.repeat(3_300_000)}"}}}`,
      ),
    ];
  },
});

const methodsOf = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is requested with unsupported methods and paths`,
  steps: (namespace) => {
    const all = collection(namespace);
    return [
      post(all, object('one')),
      send('PUT', all, object('one')),
      send('PATCH', all, '{}', type('application/merge-patch+json')),
      send('POST', `${all}/one`, object('one')),
      send('PATCH', `${all}/one`, '{}', type('application/json')),
      send('PATCH', `${all}/one`, '{}', type('text/plain')),
      send('PATCH', `${all}/one`, '{}', type('application/strategic-merge-patch+json')),
      send('OPTIONS', `${all}/one`),
      send('TRACE', `${all}/one`),
      get(`${all}/one/bogus`),
      get(`${all}/one/status`),
      get(`${all}/one/scale`),
      get(`${all}/one/status/more`),
      send('DELETE', `${all}/one/status`),
      send('POST', `${all}/one/status`, object('one')),
      get(`${all}/one%20two`),
      get(`${all}/One`),
      get(`${all}/`),
      get(`${all}?watch=maybe&timeoutSeconds=1`),
      get(`${all}/one?resourceVersion=abc`),
      get(`${all}?fieldValidation=Sometimes`),
      post(`${all}?fieldValidation=Sometimes`, object('two')),
      post(`${all}?fieldManager=${'x'.repeat(129)}`, object('two')),
      post(`${all}?fieldManager=%01`, object('two')),
      post(`${all}?pretty=true&bogus=1`, object('two')),
    ];
  },
});

const paths: Scenario = {
  name: 'paths: do not exist',
  steps: (namespace) =>
    [
      '/bogus',
      '/api/v2',
      '/api/v1/bogus',
      `/api/v1/namespaces/${namespace}/bogus`,
      `/api/v1/namespaces/${namespace}/bogus/one`,
      '/apis/bogus.example.com',
      '/apis/bogus.example.com/v1',
      '/apis/cluster.x-k8s.io/v9',
      '/apis/cluster.x-k8s.io/v9/machines',
      '/apis/cluster.x-k8s.io/v1beta2/bogus',
      `/apis/cluster.x-k8s.io/v1beta2/namespaces/${namespace}/bogus`,
      '/apis/cluster.x-k8s.io/v1beta2/machines/one',
      `/apis/cluster.x-k8s.io/v1beta2/namespaces/${namespace}/machines/a/b/c`,
      '/openapi/v3/bogus',
      '/version/bogus',
    ].map((path) => get(path)),
};

/** Bodies that the schema or Go's decoder refuses, for each kind. */
const WRONG: readonly [Subject, readonly object[]][] = [
  [
    MACHINE,
    [
      { spec: null },
      { spec: [] },
      { spec: 'x' },
      { spec: {} },
      { spec: { ...spec(MACHINE), clusterName: 7 } },
      { spec: { ...spec(MACHINE), clusterName: 'x'.repeat(64) } },
      { spec: { ...spec(MACHINE), version: '' } },
      { spec: { ...spec(MACHINE), version: null } },
      { spec: { ...spec(MACHINE), minReadySeconds: 1.5 } },
      { spec: { ...spec(MACHINE), readinessGates: [] } },
      { spec: { ...spec(MACHINE), readinessGates: [{ conditionType: 'a' }, { conditionType: 'a' }] } },
      { spec: { ...spec(MACHINE), readinessGates: [{ conditionType: 'a', polarity: 'Sideways' }] } },
      { spec: { ...spec(MACHINE), readinessGates: [{ conditionType: 'not a type!' }] } },
      { spec: { ...spec(MACHINE), readinessGates: [{}] } },
      { spec: { ...spec(MACHINE), infrastructureRef: { name: 'x' } } },
      { spec: { ...spec(MACHINE), bootstrap: {} } },
      { spec: { ...spec(MACHINE), deletion: {} } },
      { spec: { ...spec(MACHINE), deletion: { nodeDrainTimeoutSeconds: -1, nodeVolumeDetachTimeoutSeconds: 'x' } } },
      { status: { phase: 'Running' } },
      { bogus: 1 },
      { status: { conditions: 'x' } },
      { spec: { ...spec(MACHINE), minReadySeconds: 3_000_000_000 } },
    ],
  ],
  [
    CLUSTER,
    [
      { spec: { clusterNetwork: { pods: { cidrBlocks: [] } } } },
      { spec: { clusterNetwork: { pods: { cidrBlocks: Array(101).fill('10.0.0.0/8') } } } },
      { spec: { clusterNetwork: { pods: { cidrBlocks: [7, null, 'x'.repeat(44)] } } } },
      { spec: { controlPlaneEndpoint: { host: '', port: -1 } } },
      { spec: { paused: 'yes' } },
      { spec: { availabilityGates: [{ conditionType: 'x' }, 7] } },
    ],
  ],
  [
    MACHINE_DEPLOYMENT,
    [
      { spec: { ...spec(MACHINE_DEPLOYMENT), replicas: null } },
      { spec: { ...spec(MACHINE_DEPLOYMENT), selector: null } },
      { spec: { ...spec(MACHINE_DEPLOYMENT), template: {} } },
      { spec: { ...spec(MACHINE_DEPLOYMENT), rollout: { strategy: { rollingUpdate: { maxSurge: true } } } } },
      { spec: { ...spec(MACHINE_DEPLOYMENT), rollout: { strategy: { rollingUpdate: { maxSurge: '10%' } } } } },
    ],
  ],
  [
    CONFIG_MAP,
    [
      { data: null },
      { data: [] },
      { data: 'x' },
      { data: { a: 1 } },
      { data: { a: null } },
      { data: { a: { b: 'c' } } },
      { binaryData: { a: 'not base64' } },
      { binaryData: { a: 'eA==' }, data: { a: 'x' } },
      { immutable: 'yes' },
      { data: { '..': 'x' } },
      { data: { ['x'.repeat(254)]: 'x' } },
      { bogus: 1 },
    ],
  ],
];

function spec(subject: Subject): object {
  return subject.object('x').spec as object;
}

const wrongOf = ([{ title, collection, object }, bodies]: (typeof WRONG)[number]): Scenario => ({
  name: `${title}: is refused for its contents`,
  steps: (namespace) => bodies.map((body, index) => post(collection(namespace), { ...object(`n${index}`), ...body })),
});

export const BAD_INPUT: readonly Scenario[] = [
  ...[MACHINE, CONFIG_MAP].flatMap((subject) => [bodiesOf(subject), methodsOf(subject)]),
  paths,
  ...WRONG.map(wrongOf),
];
