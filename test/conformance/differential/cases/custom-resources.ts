import type { Preparation, Scenario } from '../scenario.ts';
import { get, post } from './requests.ts';

/**
 * CustomResourceDefinitions that are refused, and objects of one that is served. Each scenario defines its own kinds.
 */

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

const groupOf = (namespace: string): string => `${namespace}.windlass.dev`;

const text = { type: 'string' };
const integer = { type: 'integer' };

const spec = {
  type: 'object',
  required: ['color'],
  'x-kubernetes-validations': [
    { rule: 'self.size <= 10', message: 'too big', fieldPath: '.size' },
    { rule: 'self.color == oldSelf.color', messageExpression: '"was " + oldSelf.color', reason: 'FieldValueForbidden' },
    { rule: '!has(self.note) || self.note != "bad"' },
  ],
  properties: {
    color: { ...text, enum: ['red', 'blue'] },
    size: { ...integer, default: 3, minimum: 0 },
    note: { ...text, maxLength: 8, pattern: '^[a-z]*$' },
    even: { ...integer, multipleOf: 2 },
    when: { ...text, format: 'date-time', nullable: true },
    port: { 'x-kubernetes-int-or-string': true },
    tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    labels: { type: 'object', additionalProperties: text },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: integer } },
    template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    either: { ...integer, oneOf: [{ minimum: 5 }, { maximum: 1 }] },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, weight: { ...integer, default: 1 } },
      },
    },
    replicas: integer,
  },
};

const root = {
  type: 'object',
  properties: { spec, status: { type: 'object', properties: { replicas: integer, phase: text } } },
};

const version = (name: string, more: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  selectableFields: [{ jsonPath: '.spec.color' }],
  additionalPrinterColumns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  schema: { openAPIV3Schema: root },
  ...more,
});

const definition = (group: string, more: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'], categories: ['toys'] },
    versions: [version('v1'), version('v1beta1', { deprecated: true, additionalPrinterColumns: undefined })],
    ...more,
  },
});

export const prepared = (namespace: string): Preparation => {
  // Reads only its own namespace, because a list of all namespaces would include the objects of all scenarios.
  return { prepare: post(CRDS, definition(groupOf(namespace))), until: get(pathOf(namespace, 'v1beta1')) };
};

export const widget = (namespace: string, name: string, of: object, version = 'v1') => ({
  apiVersion: `${groupOf(namespace)}/${version}`,
  kind: 'Widget',
  metadata: { name },
  spec: of,
});

export const pathOf = (namespace: string, version = 'v1'): string =>
  `/apis/${groupOf(namespace)}/${version}/namespaces/${namespace}/widgets`;

/** A definition whose schema applies to the whole object. */
const withSchema = (schema: object, more: object = {}) => ({
  versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }],
});

const withField = (field: object) => withSchema({ type: 'object', properties: { a: field } });

const REFUSED: Readonly<Record<string, object>> = {
  'an unknown scope': { scope: 'Everywhere' },
  'bad names': {
    names: { plural: 'widgets', kind: 'Wid_get', singular: 'Wid', listKind: 'Wid_get', shortNames: ['W'] },
  },
  'no schema': { versions: [{ name: 'v1', served: true, storage: true }] },
  'an untyped field': withField({ description: 'anything' }),
  'an unknown type': withField({ type: 'text' }),
  'a list without items': withField({ type: 'array' }),
  'unique items': withField({ type: 'array', items: text, uniqueItems: true }),
  'properties beside additional ones': withField({
    type: 'object',
    properties: { b: text },
    additionalProperties: text,
  }),
  'a description in a condition': withField({ ...text, anyOf: [{ description: 'x', minLength: 1 }] }),
  'a map without keys': withField({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    items: { type: 'object', properties: { b: text } },
  }),
  'a key that may be missing': withField({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['b'],
    items: { type: 'object', properties: { b: text } },
  }),
  'a wrong default': withField({ ...integer, default: 'x' }),
  'a default with an unknown field': withField({ type: 'object', properties: { b: text }, default: { c: 'x' } }),
  'an expression that does not compile': withField({ ...text, 'x-kubernetes-validations': [{ rule: 'self.b == 1' }] }),
  'an expression that is too expensive': withField({
    type: 'array',
    items: { ...text, 'x-kubernetes-validations': [{ rule: 'self.contains("b")' }] },
  }),
  'oldSelf in a list': withField({
    type: 'array',
    maxItems: 5,
    items: { ...integer, 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
  }),
  'a bad column': withSchema(
    { type: 'object' },
    { additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: 'spec' }] },
  ),
  'a scale outside spec': withSchema(
    { type: 'object' },
    { subresources: { scale: { specReplicasPath: '.a.b', statusReplicasPath: '.status.b' } } },
  ),
  'a selectable list': withSchema(
    { type: 'object', properties: { a: { type: 'array', items: text } } },
    { selectableFields: [{ jsonPath: '.a' }, { jsonPath: '.b' }, { jsonPath: '.metadata.name' }] },
  ),
};

const refusals = (namespace: string) => {
  const group = groupOf(namespace);
  return [
    ...Object.values(REFUSED).map((more) => post(CRDS, definition(group, more))),
    post(CRDS, { ...definition(group), metadata: { name: 'gadgets.example.com' } }),
    post(CRDS, definition('widgets.k8s.io')),
  ];
};

const BAD_OBJECTS: readonly object[] = [
  {},
  { color: 'green' },
  { color: 'red', size: 'x' },
  { color: 'red', size: -1, note: 'Not good at all' },
  { color: 'red', size: 11, note: 'bad' },
  { color: 'red', even: 3, when: 'now' },
  { color: 'red', tags: ['a', 'b', 'a'] },
  { color: 'red', parts: [{ name: 'a' }, { name: 'a' }] },
  { color: 'red', labels: { a: 1 } },
  { color: 'red', port: true },
  { color: 'red', either: 3 },
  { color: 'red', replicas: -1 },
  { color: 'red', template: { metadata: { name: 'a' } } },
  { color: 'red', odd: 1 },
];

const FINE = { color: 'red', port: 'http', when: null, open: { any: { thing: 1 } }, parts: [{ name: 'a' }] };

export const CUSTOM_RESOURCES: readonly Scenario[] = [
  { name: 'definitions: are refused', steps: refusals },
  {
    name: 'custom resources: are validated',
    steps: (namespace) => [
      prepared(namespace),
      ...BAD_OBJECTS.map((of) => post(`${pathOf(namespace)}?fieldValidation=Strict`, widget(namespace, 'a', of))),
      post(`${pathOf(namespace)}?fieldValidation=Warn`, widget(namespace, 'b', { ...FINE, odd: 1 })),
    ],
  },
  {
    name: 'custom resources: are created, changed and deleted',
    steps: (namespace) => {
      const path = pathOf(namespace);
      const patch = (at: string, body: object, headers = MERGE) => ({ method: 'PATCH', path: at, body, headers });
      return [
        prepared(namespace),
        get(`/apis/${groupOf(namespace)}`),
        get(`/apis/${groupOf(namespace)}/v1`),
        get(`/apis/${groupOf(namespace)}/v1beta1`),
        post(path, widget(namespace, 'a', FINE)),
        post(path, widget(namespace, 'b', { color: 'blue' })),
        get(`${path}/a`),
        get(`${pathOf(namespace, 'v1beta1')}/a`),
        get(`${path}?fieldSelector=spec.color=blue`),
        get(`${path}?fieldSelector=spec.size=3`),
        get(path, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
        get(pathOf(namespace, 'v1beta1'), { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
        patch(`${path}/a`, { spec: { color: 'blue' } }),
        patch(`${path}/a`, { spec: { size: 4, parts: [{ name: 'b' }, { name: 'a', weight: 2 }] } }),
        patch(`${pathOf(namespace, 'v1beta1')}/a`, { spec: { note: 'old' } }),
        patch(`${path}/a/status`, { spec: { size: 9 }, status: { replicas: 2, phase: 'On' } }),
        patch(`${path}/a/scale`, { spec: { replicas: 5 } }),
        get(`${path}/a/scale`),
        patch(`${path}/c?fieldManager=one`, widget(namespace, 'c', { color: 'red', tags: ['x'] }), APPLY),
        patch(`${path}/c?fieldManager=two`, widget(namespace, 'c', { color: 'red', tags: ['y'], size: 5 }), APPLY),
        patch(`${path}/c?fieldManager=one`, widget(namespace, 'c', { color: 'red', size: 6 }), APPLY),
        { method: 'DELETE', path: `${path}/b` },
      ];
    },
  },
];
