import type { Hooks } from '../hooks.ts';
import type { Preparation, Scenario, Step } from '../scenario.ts';
import { pathOf, prepared, widget } from './custom-resources.ts';
import { applyPatch, get, mergePatch, post, put, remove } from './requests.ts';

/** Webhooks for widgets in the scenario's own namespace, and configurations that are refused. */

const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';

type Kind = 'Validating' | 'Mutating';

const listOf = (kind: Kind): string => `${REGISTRATION}/${kind.toLowerCase()}webhookconfigurations`;

interface Wanted {
  /** Selects the behaviour of the webhook server. */
  does: string;
  name?: string;
  rule?: object;
  more?: object;
}

const webhook = (namespace: string, { url, caBundle }: Hooks, { does, name = 'one', rule, more }: Wanted) => ({
  name: `${name}.example.com`,
  clientConfig: { url: `${url}/${does}`, caBundle },
  rules: [
    {
      apiGroups: [`${namespace}.windlass.dev`],
      apiVersions: ['v1'],
      resources: ['widgets', 'widgets/*'],
      operations: ['*'],
      ...rule,
    },
  ],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...more,
});

const configuration = (kind: Kind, name: string, webhooks: readonly object[], more: object = {}) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name },
  webhooks,
  ...more,
});

/** Refuses ConfigMaps with the label `probe`, which shows that the whole configuration is in force. */
const probe = (namespace: string, hooks: Hooks) => {
  const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] };
  const own = {
    objectSelector: { matchLabels: { probe: 'yes' } },
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
  };
  return webhook(namespace, hooks, { does: 'deny', name: 'probe.z', rule, more: own });
};

const configured = (kind: Kind, namespace: string, hooks: Hooks, wanted: readonly Wanted[]): Preparation => {
  const own = wanted.map((one) => webhook(namespace, hooks, one));
  const labels = { probe: 'yes' };
  return {
    prepare: post(listOf(kind), configuration(kind, `policy-${namespace}`, [...own, probe(namespace, hooks)])),
    until: post(`/api/v1/namespaces/${namespace}/configmaps?dryRun=All`, { metadata: { name: 'probe', labels } }),
    code: 400,
  };
};

const story = (kind: Kind, name: string, wanted: readonly Wanted[], steps: (namespace: string) => readonly Step[]) => ({
  name: `webhooks: ${name}`,
  steps: (namespace: string, hooks: Hooks) => [
    prepared(namespace),
    configured(kind, namespace, hooks, wanted),
    ...steps(namespace),
  ],
});

const FINE = { color: 'red', replicas: 1 };

const create = (namespace: string, name = 'a', of: object = FINE, query = '', version = 'v1') =>
  post(`${pathOf(namespace, version)}${query}`, widget(namespace, name, of, version));

/** Writes of all kinds, to which the same webhooks apply. */
const life = (namespace: string): readonly Step[] => {
  const path = pathOf(namespace);
  return [
    create(namespace),
    create(namespace, 'dry', FINE, '?dryRun=All&fieldManager=someone&fieldValidation=Strict'),
    post(path, { ...widget(namespace, 'b', FINE), metadata: { generateName: 'made-' } }),
    create(namespace, 'old', FINE, '', 'v1beta1'),
    get(`${path}/a`),
    mergePatch(`${path}/a`, { spec: { size: 5 } }),
    mergePatch(`${path}/a`, { spec: { size: 5 } }),
    mergePatch(`${path}/a/status`, { status: { phase: 'On' } }),
    mergePatch(`${path}/a/scale`, { spec: { replicas: 2 } }),
    applyPatch(`${path}/c?fieldManager=one`, widget(namespace, 'c', FINE)),
    applyPatch(`${path}/c?fieldManager=one`, widget(namespace, 'c', { ...FINE, note: 'x' })),
    put(`${path}/a`, widget(namespace, 'a', { ...FINE, size: 7 })),
    create(namespace, 'wrong', { color: 'green' }),
    remove(`${path}/a?dryRun=All`),
    remove(`${path}/a`, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground' }),
    remove(path),
    get(path),
  ];
};

const creations = (does: string, more: object = {}): Scenario =>
  story(
    'Validating',
    `a validating one that answers ${does}${'failurePolicy' in more ? ', ignored' : ''}`,
    [{ does, more }],
    (namespace) => [create(namespace), get(`${pathOf(namespace)}/a`)],
  );

const mutations = (...wanted: Wanted[]): Scenario =>
  story('Mutating', `mutating ones that ${wanted.map(({ does }) => does).join(', ')}`, wanted, (namespace) => [
    create(namespace),
    create(namespace, 'empty', {}),
    mergePatch(`${pathOf(namespace)}/a`, { spec: { note: 'x' } }),
    applyPatch(`${pathOf(namespace)}/c?fieldManager=one`, widget(namespace, 'c', FINE)),
    get(`${pathOf(namespace)}/a`),
    remove(`${pathOf(namespace)}/a`),
  ]);

/** Webhooks that support only the older version of the review. */
const OLD = { admissionReviewVersions: ['v2', 'v1beta1'] };

const oldReviews = (kind: Kind, does: string): Scenario =>
  story(kind, `${kind} ones of v1beta1 that say ${does}`, [{ does, more: OLD }], (namespace) => [
    create(namespace),
    mergePatch(`${pathOf(namespace)}/a`, { spec: { note: 'x' } }),
    get(`${pathOf(namespace)}/a`),
    remove(`${pathOf(namespace)}/a`),
  ]);

const INVALID: readonly object[] = [
  { name: 'short' },
  { name: 'Upper.example.com' },
  { name: '' },
  { rules: [{}] },
  { rules: [{ apiGroups: ['*', 'a'], apiVersions: ['*', ''], resources: ['*', 'a', ''], operations: ['*', 'READ'] }] },
  {
    rules: [{ apiGroups: ['a'], apiVersions: ['v1'], resources: ['a/*', 'a/b', '*/c', 'd/c'], operations: ['CREATE'] }],
  },
  { rules: [{ apiGroups: ['a'], apiVersions: ['v1'], resources: ['*/*', 'a'], operations: ['CREATE'], scope: 'All' }] },
  { failurePolicy: 'Hope', matchPolicy: 'Some', sideEffects: 'Some', timeoutSeconds: 31 },
  { sideEffects: undefined, timeoutSeconds: 0 },
  { admissionReviewVersions: [] },
  { admissionReviewVersions: ['v2', 'v2', 'V'] },
  { admissionReviewVersions: ['v2'] },
  { clientConfig: {} },
  { clientConfig: { url: 'http://user:pass@example.com/a?b=c#d' } },
  { clientConfig: { url: 'https://' } },
  {
    namespaceSelector: { matchExpressions: [{ key: 'a b', operator: 'In' }] },
    objectSelector: { matchLabels: { a: '/' } },
  },
  {
    matchConditions: [
      { name: 'a', expression: 'nothing == 1' },
      { name: 'a', expression: '1' },
      { name: '-', expression: '' },
    ],
  },
  { matchConditions: [{ name: 'a', expression: 'request.nothing == 1 || object.metadata.name == 2' }] },
  { reinvocationPolicy: 'Often' },
];

const refusals = (kind: Kind): Scenario => ({
  name: `webhooks: ${kind} configurations are refused`,
  steps: (namespace, hooks) => [
    ...INVALID.map((more) =>
      post(listOf(kind), configuration(kind, `bad-${namespace}`, [webhook(namespace, hooks, { does: 'allow', more })])),
    ),
    post(
      listOf(kind),
      configuration(kind, `bad-${namespace}`, [
        webhook(namespace, hooks, { does: 'allow' }),
        webhook(namespace, hooks, { does: 'allow' }),
      ]),
    ),
    post(listOf(kind), configuration(kind, `Bad.${namespace}.`, [])),
  ],
});

const defaults = (kind: Kind): Scenario => ({
  name: `webhooks: ${kind} configurations are created, changed and deleted`,
  steps: (namespace, hooks) => {
    const path = `${listOf(kind)}/fine-${namespace}`;
    return [
      post(listOf(kind), configuration(kind, `fine-${namespace}`, [webhook(namespace, hooks, { does: 'allow' })])),
      get(path),
      get(path, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
      mergePatch(path, { metadata: { labels: { a: 'b' } } }),
      mergePatch(path, { webhooks: [] }),
      put(path, configuration(kind, `fine-${namespace}`, [webhook(namespace, hooks, { does: 'deny' })])),
      remove(path),
      get(REGISTRATION),
    ];
  },
});

const condition = (expression: string): object => ({ matchConditions: [{ name: 'one', expression }] });

export const WEBHOOKS: readonly Scenario[] = [
  refusals('Validating'),
  refusals('Mutating'),
  defaults('Validating'),
  defaults('Mutating'),
  story('Validating', 'a validating one receives the whole request', [{ does: 'tell' }], (namespace) => [
    create(namespace),
    create(namespace, 'a', FINE, '?dryRun=All&fieldManager=someone&fieldValidation=Strict'),
    create(namespace, 'old', FINE, '', 'v1beta1'),
    applyPatch(`${pathOf(namespace)}/c?fieldManager=one&force=true`, widget(namespace, 'c', FINE)),
  ]),
  story('Mutating', 'a mutating one receives the whole request', [{ does: 'tell' }], (namespace) => [
    create(namespace),
    create(namespace, 'wrong', { color: 'green' }),
    post(pathOf(namespace), { ...widget(namespace, 'b', FINE), metadata: { generateName: 'made-' } }),
    create(namespace, 'old', FINE, '', 'v1beta1'),
  ]),
  story(
    'Validating',
    'changes and deletions are sent',
    [{ does: 'tell', rule: { operations: ['UPDATE', 'DELETE'] } }],
    (namespace) => life(namespace).slice(0, -3),
  ),
  story('Validating', 'all writes with warnings', [{ does: 'warn' }], life),
  story('Mutating', 'all writes with labels', [{ does: 'warn-and-label', rule: { operations: ['CREATE'] } }], life),
  ...['deny', 'deny-with-message', 'deny-with-reason', 'deny-with-success'].map((does) => creations(does)),
  ...['no-response', 'other-version', 'other-uid', 'label', 'type-without-patch', 'error'].map((does) =>
    creations(does),
  ),
  creations('error', { failurePolicy: 'Ignore' }),
  story(
    'Validating',
    'are called only for what they match',
    [
      { does: 'deny-with-message', name: 'exact', rule: { apiVersions: ['v1beta1'] }, more: { matchPolicy: 'Exact' } },
      { does: 'deny-with-reason', name: 'scale', rule: { resources: ['widgets/scale'] } },
      { does: 'deny-blue', name: 'blue', rule: { apiVersions: ['v1beta1'] } },
      { does: 'deny', name: 'labels', more: { objectSelector: { matchLabels: { denied: 'yes' } } } },
      { does: 'deny', name: 'others', more: { namespaceSelector: { matchLabels: { of: 'others' } } } },
      { does: 'deny', name: 'named', more: condition('request.name == "named" && request.operation == "CREATE"') },
      { does: 'deny', name: 'faulty', more: condition('object.metadata.name == "f" && object.spec.note == "x"') },
    ],
    (namespace) => [
      create(namespace),
      create(namespace, 'old', FINE, '', 'v1beta1'),
      create(namespace, 'blue', { color: 'blue' }),
      post(pathOf(namespace), { ...widget(namespace, 'b', FINE), metadata: { name: 'b', labels: { denied: 'yes' } } }),
      create(namespace, 'named'),
      create(namespace, 'f'),
      mergePatch(`${pathOf(namespace)}/a/scale`, { spec: { replicas: 2 } }),
      mergePatch(`${pathOf(namespace)}/a/status`, { status: { phase: 'On' } }),
      get(pathOf(namespace)),
    ],
  ),
  mutations({ does: 'label' }),
  mutations({ does: 'paint' }),
  mutations({ does: 'grow', name: 'a', more: { reinvocationPolicy: 'IfNeeded' } }, { does: 'grow', name: 'b' }),
  mutations(
    { does: 'grow', name: 'a', more: { reinvocationPolicy: 'IfNeeded' } },
    { does: 'follow', name: 'b', more: { reinvocationPolicy: 'IfNeeded' } },
  ),
  mutations({ does: 'spoil' }),
  mutations({ does: 'undecodable', more: { failurePolicy: 'Ignore' } }),
  story('Mutating', 'a mutating one renames what is created', [{ does: 'rename' }], (namespace) => [
    create(namespace),
    get(`${pathOf(namespace)}/other`),
    remove(`${pathOf(namespace)}/other`),
    applyPatch(`${pathOf(namespace)}/c?fieldManager=one`, widget(namespace, 'c', FINE)),
    applyPatch(`${pathOf(namespace)}/c?fieldManager=one`, widget(namespace, 'c', FINE)),
  ]),
  mutations({ does: 'patch-nothing' }, { does: 'other-type', name: 'b' }),
  mutations({ does: 'patch-without-type' }),
  ...['tell', 'deny', 'no-response', 'in-v1', 'other-uid', 'label', 'type-without-patch', 'warn'].map((does) =>
    oldReviews('Validating', does),
  ),
  ...['tell', 'label', 'other-type', 'patch-without-type', 'patch-nothing', 'spoil'].map((does) =>
    oldReviews('Mutating', does),
  ),
];
