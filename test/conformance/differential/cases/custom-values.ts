import type { Preparation, Scenario } from '../scenario.ts';
import { get, mergePatch, post, put } from './requests.ts';

/** Values of custom resources that rules read according to their format or their list type, and embedded objects. */

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const text = { type: 'string', maxLength: 40 };
const integer = { type: 'integer' };

const ruled = (rule: string) => ({ 'x-kubernetes-validations': [{ rule }] });

const list = (type: string, items: object, more: object) => ({
  type: 'array',
  maxItems: 5,
  items,
  'x-kubernetes-list-type': type,
  ...more,
});

const embedded = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};

const spec = {
  type: 'object',
  ...ruled('!has(self.size) || self.size < 9'),
  properties: {
    size: integer,
    ttl: { ...text, format: 'duration', ...ruled("self > duration('1h')") },
    at: { ...text, format: 'date-time', ...ruled("self > timestamp('2020-01-01T00:00:00Z')") },
    idle: { ...text, format: 'duration' },
    until: { ...text, format: 'date-time' },
    address: { ...text, format: 'ipv4' },
    set: list('set', text, ruled('self == oldSelf')),
    parts: list(
      'map',
      { type: 'object', required: ['name'], properties: { name: text, weight: integer } },
      { 'x-kubernetes-list-map-keys': ['name'], ...ruled('self == oldSelf') },
    ),
    sum: list('set', text, ruled("(self + ['a', 'z']).size() == 3")),
    template: embedded,
    templates: { type: 'object', additionalProperties: embedded },
  },
};

const groupOf = (namespace: string): string => `${namespace}.values.windlass.dev`;

const definition = (namespace: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `holders.${groupOf(namespace)}` },
  spec: {
    group: groupOf(namespace),
    scope: 'Namespaced',
    names: { plural: 'holders', kind: 'Holder' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec }, ...ruled("self.metadata.name != 'unlucky'") },
        },
      },
    ],
  },
});

const prepared = (namespace: string): Preparation => ({
  prepare: post(CRDS, definition(namespace)),
  until: get(`/apis/${groupOf(namespace)}/v1/namespaces/${namespace}/holders`),
});

const holder = (namespace: string, name: string, of: object) => ({
  apiVersion: `${groupOf(namespace)}/v1`,
  kind: 'Holder',
  metadata: { name },
  spec: of,
});

const pathOf = (namespace: string): string => `/apis/${groupOf(namespace)}/v1/namespaces/${namespace}/holders`;

const SCALARS: readonly object[] = [
  { ttl: '1d' },
  { ttl: '2 weeks' },
  { ttl: '30m' },
  { ttl: 'soon' },
  { at: '2021-01-01T00:00:00Z' },
  { at: '2021-01-01t00:00:00z' },
  { idle: '1d', until: '2021-01-01t00:00:00z', size: 1 },
  { idle: '1d', until: '2021-01-01t00:00:00z', size: 9 },
  { address: '01.2.3.4' },
  { sum: ['a', 'b'] },
  { sum: ['b'] },
  { sum: ['b', 'c'] },
];

const POD = { apiVersion: 'v1', kind: 'Pod' };

const HEADS: readonly object[] = [
  { ...POD, metadata: { name: 'Any_name', labels: { a: 'b' } } },
  {},
  { ...POD, apiVersion: 'a/b/c' },
  { ...POD, kind: 'k_' },
  { ...POD, metadata: { name: 'a/b' } },
  { ...POD, metadata: { labels: { 'a b': 'c' } } },
  { ...POD, metadata: { labels: { a: 'b c' } } },
  { ...POD, metadata: { annotations: { 'a b': 'c' } } },
  { ...POD, metadata: { finalizers: ['a b'] } },
  { ...POD, metadata: { ownerReferences: [{}] } },
  { ...POD, metadata: { name: 'a', namespace: 'B_' } },
  { ...POD, metadata: { generation: -1 } },
];

export const CUSTOM_VALUES: readonly Scenario[] = [
  {
    name: 'custom resources: have values of special types',
    steps: (namespace) => {
      const path = pathOf(namespace);
      const one = `${path}/one`;
      const tried = (of: object) => post(`${path}?dryRun=All`, holder(namespace, 'tried', of));
      const parts = [
        { name: 'a', weight: 1 },
        { name: 'b', weight: 2 },
      ];
      return [
        prepared(namespace),
        ...SCALARS.map(tried),
        ...HEADS.map((template) => tried({ template })),
        tried({ templates: { a: POD, 'b/c': { kind: 'Pod' } } }),
        post(path, holder(namespace, 'unlucky', {})),
        post(path, holder(namespace, 'one', { set: ['a', 'b'], parts, idle: '1d' })),
        mergePatch(one, { spec: { set: ['b', 'a'] } }),
        mergePatch(one, { spec: { set: ['b', 'c'] } }),
        mergePatch(one, { spec: { parts: parts.toReversed() } }),
        mergePatch(one, { spec: { parts: [{ name: 'b', weight: 3 }, parts[0]] } }),
        put(`${CRDS}/holders.${groupOf(namespace)}`, definition(namespace)),
      ];
    },
  },
];
