import type { Preparation, Scenario, Step } from '../scenario.ts';
import { pathOf, prepared, widget } from './custom-resources.ts';
import { BINDINGS, binding, POLICIES, policy, validations, widgets } from './policy-objects.ts';
import { applyPatch, get, mergePatch, post, remove } from './requests.ts';

/** Admission policies for widgets of the scenario's own namespace. */

interface Wanted {
  spec?: object;
  match?: object;
  bound?: object;
}

const own = (namespace: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': namespace } });

/** Refuses ConfigMaps with the label `probe`, which shows that everything written before the probe is in force. */
const probe = (namespace: string): Preparation[] => {
  const name = `probe-${namespace}`;
  const matchConstraints = {
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
    objectSelector: { matchLabels: { probe: 'yes' } },
    namespaceSelector: own(namespace),
  };
  const spec = { matchConstraints, validations: [{ expression: 'false' }] };
  const asked = { metadata: { name: 'probe', labels: { probe: 'yes' } } };
  return [
    { prepare: post(POLICIES, policy(name, spec)), until: get(`${POLICIES}/${name}`) },
    {
      prepare: post(BINDINGS, binding(name, {})),
      until: post(`/api/v1/namespaces/${namespace}/configmaps?dryRun=All`, asked),
      code: 422,
    },
  ];
};

const configured = (namespace: string, wanted: readonly Wanted[]): Preparation[] => [
  ...wanted.flatMap(({ spec, match, bound }, index): Preparation[] => {
    const name = `p${index}-${namespace}`;
    const whole = { matchConstraints: { ...widgets(namespace), ...match }, ...spec };
    return [
      { prepare: post(POLICIES, policy(name, whole)), until: get(`${POLICIES}/${name}`) },
      { prepare: post(BINDINGS, binding(name, { ...bound })), until: get(`${BINDINGS}/${name}`) },
    ];
  }),
  ...probe(namespace),
];

const story = (
  name: string,
  wanted: readonly Wanted[],
  steps: (path: string, namespace: string) => readonly Step[],
): Scenario => ({
  name: `policies: ${name}`,
  steps: (namespace) => [prepared(namespace), ...configured(namespace, wanted), ...steps(pathOf(namespace), namespace)],
});

const FINE = { color: 'red', replicas: 1, size: 4 };

const create = (namespace: string, name = 'a', of: object = FINE, more: object = {}) =>
  post(pathOf(namespace), { ...widget(namespace, name, of), ...more });

const SMALL = { expression: 'object.spec.size < 5' };

const configMap = (name: string, data: object, labels: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
  data,
});

const PARAMS = {
  paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
  ...validations({
    expression: 'params == null || object.spec.size <= int(params.data.most)',
    messageExpression: '"at most " + params.data.most',
  }),
};

const withParams = (paramRef: object, spec: object = PARAMS): Wanted[] => [
  { spec, bound: { paramRef: { parameterNotFoundAction: 'Deny', ...paramRef } } },
];

const faulty = (more: object): Wanted => ({
  spec: { ...validations({ expression: 'object.spec.none == 1' }), ...more },
});

export const POLICY_CASES: readonly Scenario[] = [
  story('deny with their messages', [{ spec: validations(SMALL) }], (path, namespace) => [
    create(namespace),
    create(namespace, 'b', { color: 'red', size: 7 }),
    post(`${path}?dryRun=All`, widget(namespace, 'b', { color: 'red', size: 7 })),
    post(pathOf(namespace, 'v1beta1'), widget(namespace, 'b', { color: 'red', size: 7 }, 'v1beta1')),
    mergePatch(`${path}/a`, { spec: { size: 7 } }),
    mergePatch(`${path}/a/status`, { status: { phase: 'On' } }),
    applyPatch(`${path}/c?fieldManager=one`, widget(namespace, 'c', { color: 'red', size: 8 })),
    remove(`${path}/a`),
    get(path),
  ]),
  ...(
    [
      ['message', { message: ' not so big ' }],
      ['messageExpression', { message: 'big', messageExpression: '"has " + string(object.spec.size)' }],
      ['faulty messageExpression', { message: 'big', messageExpression: 'string(object.spec.none)' }],
      ['empty messageExpression', { messageExpression: '" "' }],
      ['Forbidden', { reason: 'Forbidden' }],
      ['RequestEntityTooLarge', { reason: 'RequestEntityTooLarge', message: 'big' }],
    ] as const
  ).map(([name, more]) =>
    story(`deny with ${name}`, [{ spec: validations({ ...SMALL, ...more }) }], (_, namespace) => [
      create(namespace, 'b', { color: 'red', size: 7 }),
    ]),
  ),
  story(
    'warn, and write audit annotations',
    [
      {
        spec: validations(SMALL, { expression: 'object.spec.size < 6', message: 'second' }),
        bound: { validationActions: ['Warn', 'Audit'] },
      },
    ],
    (_, namespace) => [create(namespace), create(namespace, 'b', { color: 'red', size: 7 })],
  ),
  story(
    'can use the request, and variables',
    [
      {
        spec: {
          variables: [
            { name: 'size', expression: 'object.spec.size' },
            { name: 'twice', expression: 'variables.size * 2' },
            { name: 'faulty', expression: 'object.spec.none' },
          ],
          ...validations(
            { expression: 'variables.twice < 10', messageExpression: '"twice is " + string(variables.twice)' },
            {
              expression: 'request.operation != "UPDATE" || oldObject.spec.size <= variables.size',
              message: 'shrinks',
            },
            { expression: 'object.spec.color == "red" || variables.faulty == 1' },
            {
              expression: '!object.metadata.name.startsWith("tell")',
              messageExpression:
                'request.name + " " + request.namespace + " " + request.resource.version + " " + request.userInfo.username.substring(0, 0) + namespaceObject.metadata.name + " " + namespaceObject.status.phase',
            },
          ),
        },
      },
    ],
    (path, namespace) => [
      create(namespace),
      create(namespace, 'b', { color: 'red', size: 7 }),
      create(namespace, 'tell-all'),
      create(namespace, 'blue', { color: 'blue' }),
      mergePatch(`${path}/a`, { spec: { size: 2 } }),
    ],
  ),
  story('fail if an expression fails', [faulty({})], (_, namespace) => [create(namespace)]),
  story('ignore a failure', [faulty({ failurePolicy: 'Ignore' })], (_, namespace) => [create(namespace)]),
  story(
    'apply only to what they match',
    [
      {
        spec: {
          ...validations({ expression: 'false', message: 'conditions' }),
          matchConditions: [{ name: 'a', expression: 'object.metadata.name == "named"' }],
        },
      },
      {
        spec: validations({ expression: 'false', message: 'labels' }),
        match: { objectSelector: { matchLabels: { denied: 'yes' } } },
      },
      {
        spec: validations({ expression: 'false', message: 'others' }),
        match: { namespaceSelector: { matchLabels: { of: 'others' } } },
      },
      {
        spec: validations({ expression: 'false', message: 'bound' }),
        bound: { matchResources: { objectSelector: { matchLabels: { bound: 'yes' } } } },
      },
    ],
    (path, namespace) => [
      create(namespace),
      create(namespace, 'named'),
      create(namespace, 'b', FINE, { metadata: { name: 'b', labels: { denied: 'yes' } } }),
      create(namespace, 'c', FINE, { metadata: { name: 'c', labels: { bound: 'yes' } } }),
      get(path),
    ],
  ),
  story('read parameters by name', withParams({ name: 'limits' }), (_, namespace) => [
    create(namespace),
    {
      prepare: post(`/api/v1/namespaces/${namespace}/configmaps`, configMap('limits', { most: '3' })),
      until: post(`${pathOf(namespace)}?dryRun=All`, widget(namespace, 'a', { color: 'red', size: 3 })),
      code: 201,
    },
    create(namespace, 'b'),
    create(namespace, 'c', { color: 'red', size: 2 }),
  ]),
  story(
    'continue without parameters',
    withParams({ name: 'limits', parameterNotFoundAction: 'Allow' }),
    (_, namespace) => [create(namespace)],
  ),
  story('read parameters by labels', withParams({ selector: { matchLabels: { limits: 'yes' } } }), (_, namespace) => [
    create(namespace),
    {
      prepare: post(`/api/v1/namespaces/${namespace}/configmaps`, configMap('other', { most: '1' })),
      until: get(`/api/v1/namespaces/${namespace}/configmaps/other`),
    },
    {
      prepare: post(
        `/api/v1/namespaces/${namespace}/configmaps`,
        configMap('limits', { most: '3' }, { limits: 'yes' }),
      ),
      until: post(`${pathOf(namespace)}?dryRun=All`, widget(namespace, 'a', { color: 'red', size: 3 })),
      code: 201,
    },
    create(namespace, 'b'),
    create(namespace, 'c', { color: 'red', size: 2 }),
  ]),
  story('read custom resources as parameters', [], (path, namespace) => [
    post(path, widget(namespace, 'limits', { color: 'red', size: 3 })),
    ...configured(namespace, [
      {
        spec: {
          paramKind: { apiVersion: `${namespace}.windlass.dev/v1`, kind: 'Widget' },
          ...validations({ expression: 'object.spec.size <= params.spec.size', message: 'more than params' }),
        },
        bound: { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } },
      },
    ]).slice(0, 1),
    {
      prepare: post(
        BINDINGS,
        binding(`p0-${namespace}`, { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } }),
      ),
      until: post(`${path}?dryRun=All`, widget(namespace, 'a', { color: 'red', size: 4 })),
      code: 422,
    },
    // The binding is in force by now, but the kind of its parameters may need more time.
    {
      prepare: post(`/api/v1/namespaces/${namespace}/configmaps`, configMap('waiting', {})),
      until: post(`${path}?dryRun=All`, widget(namespace, 'a', { color: 'red', size: 3 })),
      code: 201,
    },
    create(namespace),
    create(namespace, 'c', { color: 'red', size: 2 }),
  ]),
  story(
    'need the kind of their parameters',
    withParams({ name: 'limits' }, { ...PARAMS, paramKind: { apiVersion: 'example.com/v1', kind: 'Nothing' } }),
    (_, namespace) => [create(namespace)],
  ),
];
