import { PATIENCE_SECONDS } from '../../../../shared/test-patience.ts';
import type { Hooks } from '../hooks.ts';
import type { Past, Preparation, Scenario, Step } from '../scenario.ts';
import { AS_TABLE, applyPatch, get, jsonPatch, mergePatch, post, put, remove } from './requests.ts';

/**
 * Kinds whose versions a webhook converts (`hook-conversions.ts`). v1 is stored; v1beta1 has a single field in place of
 * two.
 */

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const text = { type: 'string' };
const integer = { type: 'integer' };

const version = (name: string, properties: object, more: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { ...properties, note: text } },
        status: { type: 'object', properties: { phase: text } },
      },
    },
  },
  ...more,
});

const V1 = { host: { ...text, default: 'nowhere' }, port: { ...integer, maximum: 99 } };
const V1BETA1 = { address: { ...text, pattern: '^[a-z]*(:[0-9]+)?$' }, size: { ...integer, default: 3 } };

const groupOf = (namespace: string): string => `${namespace}.windlass.dev`;

const definition = (namespace: string, conversion: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `gates.${groupOf(namespace)}` },
  spec: {
    group: groupOf(namespace),
    scope: 'Namespaced',
    names: { plural: 'gates', kind: 'Gate' },
    versions: [
      version('v1', V1, { additionalPrinterColumns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }] }),
      version('v1beta1', V1BETA1, {
        additionalPrinterColumns: [{ name: 'Address', type: 'string', jsonPath: '.spec.address' }],
      }),
    ],
    conversion,
  },
});

const webhookOf = ({ url, caBundle }: Hooks, more: object = {}) => ({
  strategy: 'Webhook',
  webhook: { clientConfig: { url: `${url}/convert`, caBundle }, conversionReviewVersions: ['v1'], ...more },
});

const converted = (namespace: string, hooks: Hooks, more?: object): Preparation => ({
  prepare: post(CRDS, definition(namespace, webhookOf(hooks, more))),
  until: get(`/apis/${groupOf(namespace)}/v1beta1/namespaces/${namespace}/gates`),
});

type Version = 'v1' | 'v1beta1';

const gate = (namespace: string, name: string, of: object, as: Version = 'v1', metadata: object = {}) => ({
  apiVersion: `${groupOf(namespace)}/${as}`,
  kind: 'Gate',
  metadata: { name, ...metadata },
  ...of,
});

const pathOf = (namespace: string, as: Version = 'v1'): string =>
  `/apis/${groupOf(namespace)}/${as}/namespaces/${namespace}/gates`;

const story = (name: string, steps: (v1: string, v1beta1: string, namespace: string) => readonly Step[]): Scenario => ({
  name: `conversions: ${name}`,
  steps: (namespace, hooks) => [
    converted(namespace, hooks),
    ...steps(pathOf(namespace), pathOf(namespace, 'v1beta1'), namespace),
  ],
});

const FINE = { spec: { host: 'a', port: 1 } };
const OLD = { spec: { address: 'b:2' } };

const versionOf = (past: Past, index: number): string => past[index]?.body.metadata.resourceVersion;

/** Faults of the webhook in the conversion to v1beta1. An annotation of one object selects the fault. */
const FAULTS = [
  'fail',
  'fail-silently',
  'no-result',
  'nothing',
  'other-uid',
  'no-response',
  'other-review',
  'error',
  'name',
  'namespace',
  'uid',
  'version',
  'kind',
  'no-metadata',
  'metadata-text',
  'bad-label',
  'number-label',
  'labels-text',
  'bad-annotation',
  'other-metadata',
];

const faulty = (namespace: string, fault: string, as: Version, name = 'a') =>
  gate(namespace, name, as === 'v1' ? FINE : OLD, as, {
    annotations: { [as === 'v1' ? 'conversion' : 'conversion-back']: fault },
  });

const INVALID = (hooks: Hooks): readonly object[] => [
  { strategy: 'Webhook' },
  webhookOf(hooks, { conversionReviewVersions: [] }),
  webhookOf(hooks, { conversionReviewVersions: ['v2', 'v2', 'V'] }),
  webhookOf(hooks, { clientConfig: undefined }),
  webhookOf(hooks, { clientConfig: {} }),
  webhookOf(hooks, { clientConfig: { url: 'http://user:pass@example.com/a?b=c#d' } }),
  { ...webhookOf(hooks), strategy: 'None' },
  { ...webhookOf(hooks), strategy: 'Magic' },
  { strategy: '' },
];

export const CONVERSIONS: readonly Scenario[] = [
  {
    name: 'conversions: are refused',
    steps: (namespace, hooks) => INVALID(hooks).map((conversion) => post(CRDS, definition(namespace, conversion))),
  },
  story('objects are read and written in both versions', (v1, v1beta1, namespace) => [
    post(v1, gate(namespace, 'a', FINE)),
    post(v1beta1, gate(namespace, 'b', OLD, 'v1beta1')),
    post(v1beta1, gate(namespace, 'c', {}, 'v1beta1')),
    post(v1beta1, gate(namespace, 'bad', { spec: { address: 'B' } }, 'v1beta1')),
    post(v1beta1, gate(namespace, 'beyond', { spec: { address: 'b:100' } }, 'v1beta1')),
    get(`${v1}/a`),
    get(`${v1beta1}/a`),
    get(`${v1}/b`),
    get(`${v1}/beyond`),
    get(v1),
    get(v1beta1),
    get(v1beta1, AS_TABLE),
    get(`${v1beta1}?limit=2`),
    get(`${v1beta1}?labelSelector=a%3Db`),
    mergePatch(`${v1beta1}/a?fieldManager=old`, { spec: { address: 'c:3' } }),
    mergePatch(`${v1beta1}/a?fieldManager=old`, { spec: { address: 'c:3' } }),
    jsonPatch(`${v1beta1}/b?fieldManager=old`, [{ op: 'replace', path: '/spec/address', value: 'd' }]),
    mergePatch(`${v1beta1}/a/status?fieldManager=old`, { status: { phase: 'On' } }),
    mergePatch(`${v1}/a?fieldManager=new`, { spec: { note: 'x' } }),
    (past) =>
      put(
        `${v1beta1}/a?fieldManager=old`,
        gate(namespace, 'a', OLD, 'v1beta1', { resourceVersion: versionOf(past, 17) }),
      ),
    (past) =>
      put(
        `${v1beta1}/a?fieldManager=old`,
        gate(namespace, 'a', OLD, 'v1beta1', { resourceVersion: versionOf(past, 18) }),
      ),
    get(`${v1}/a`),
    remove(`${v1beta1}/b`),
    remove(v1beta1),
    get(v1),
  ]),
  story('dry runs are converted', (v1, v1beta1, namespace) => [
    post(`${v1beta1}?dryRun=All`, gate(namespace, 'a', OLD, 'v1beta1')),
    post(`${v1beta1}?dryRun=All`, faulty(namespace, 'fail', 'v1beta1')),
    post(v1, gate(namespace, 'a', FINE)),
    mergePatch(`${v1beta1}/a?dryRun=All`, { spec: { address: 'c:3' } }),
    mergePatch(`${v1beta1}/a?dryRun=All`, { metadata: { annotations: { 'conversion-back': 'fail' } } }),
    remove(`${v1beta1}/a?dryRun=All`),
    get(v1),
  ]),
  story('unknown fields are dropped', (v1, v1beta1, namespace) => [
    post(v1, faulty(namespace, 'unknown', 'v1')),
    get(`${v1beta1}/a`),
  ]),
  story('managers own fields in their versions', (v1, v1beta1, namespace) => [
    post(`${v1}?fieldManager=new`, gate(namespace, 'a', FINE)),
    mergePatch(`${v1beta1}/a?fieldManager=old`, { spec: { address: 'c:3', note: 'x' } }),
    mergePatch(`${v1}/a?fieldManager=new`, { spec: { port: 4 } }),
    applyPatch(`${v1}/b?fieldManager=one`, gate(namespace, 'b', FINE)),
    applyPatch(`${v1beta1}/b?fieldManager=two`, gate(namespace, 'b', { spec: { address: 'b:5' } }, 'v1beta1')),
    applyPatch(`${v1beta1}/b?fieldManager=two`, gate(namespace, 'b', { spec: { note: 'mine' } }, 'v1beta1')),
    applyPatch(
      `${v1beta1}/b?fieldManager=two&force=true`,
      gate(namespace, 'b', { spec: { address: 'b:5' } }, 'v1beta1'),
    ),
    applyPatch(`${v1beta1}/b?fieldManager=one&force=true`, gate(namespace, 'b', OLD, 'v1beta1')),
    applyPatch(`${v1}/b?fieldManager=one&force=true`, gate(namespace, 'b', { spec: { note: 'last' } })),
    applyPatch(`${v1beta1}/c?fieldManager=one`, gate(namespace, 'c', OLD, 'v1beta1')),
    applyPatch(`${v1beta1}/c?fieldManager=one`, gate(namespace, 'c', { spec: { note: 'x' } }, 'v1beta1')),
    get(`${v1}/c`),
  ]),
  story('reads in another version fail', (v1, v1beta1, namespace) =>
    FAULTS.flatMap((name) => [
      post(v1, faulty(namespace, name, 'v1', name)),
      get(`${v1beta1}/${name}`),
      mergePatch(`${v1beta1}/${name}`, { spec: { note: 'x' } }),
      applyPatch(`${v1beta1}/${name}?fieldManager=one`, gate(namespace, name, { spec: { note: 'y' } }, 'v1beta1')),
      mergePatch(`${v1}/${name}?fieldManager=new`, { spec: { note: 'z' } }),
      remove(`${v1beta1}/${name}`),
      remove(`${v1}/${name}`),
    ]),
  ),
  story('writes in another version fail', (v1, v1beta1, namespace) => [
    ...['fail', 'nothing', 'error', 'name', 'uid', 'bad-label', 'other-metadata'].flatMap((fault) => [
      post(v1beta1, faulty(namespace, fault, 'v1beta1', fault)),
      applyPatch(`${v1beta1}/b-${fault}?fieldManager=one`, faulty(namespace, fault, 'v1beta1', `b-${fault}`)),
      post(v1, gate(namespace, `c-${fault}`, FINE)),
      mergePatch(`${v1beta1}/c-${fault}`, { metadata: { annotations: { 'conversion-back': fault } } }),
    ]),
    get(v1),
  ]),
  story('a broken object and its managers', (v1, v1beta1, namespace) => [
    post(`${v1beta1}?fieldManager=old`, gate(namespace, 'a', OLD, 'v1beta1')),
    mergePatch(`${v1}/a?fieldManager=new`, { metadata: { annotations: { conversion: 'fail' } } }),
    get(`${v1}/a`),
    post(`${v1beta1}?fieldManager=old`, gate(namespace, 'b', OLD, 'v1beta1')),
    applyPatch(
      `${v1}/b?fieldManager=one`,
      gate(namespace, 'b', { spec: { note: 'y' } }, 'v1', { annotations: { conversion: 'fail' } }),
    ),
    remove(`${v1}/a`),
  ]),
  story('a list with a broken object', (v1, v1beta1, namespace) => [
    post(v1, gate(namespace, 'b', FINE)),
    post(v1, faulty(namespace, 'fail', 'v1')),
    get(v1),
    get(`${v1beta1}/b`),
    get(v1beta1),
    remove(v1),
  ]),
  story('are watched in both versions', (v1, v1beta1, namespace) => [
    get(v1beta1),
    (past) => ({
      watch: get(
        `${v1beta1}?watch=true&timeoutSeconds=${PATIENCE_SECONDS}&resourceVersion=${past[0]?.body.metadata.resourceVersion}`,
      ),
      changes: [
        post(v1, gate(namespace, 'a', FINE)),
        mergePatch(`${v1}/a`, { spec: { port: 5 } }),
        post(v1beta1, gate(namespace, 'b', OLD, 'v1beta1')),
        remove(`${v1}/a`),
      ].map((asked) => ({ asked, shown: true })),
    }),
  ]),
];
