import type { Scenario } from '../scenario.ts';
import { BINDINGS, binding, POLICIES, policy, REGISTRATION, validations, widgets } from './policy-objects.ts';
import { AS_TABLE, get, mergePatch, post, put, remove } from './requests.ts';

/** Policies and bindings that are refused, and some that are stored and read again. */

const INVALID: readonly object[] = [
  {},
  { validations: [] },
  { failurePolicy: 'Hope', paramKind: {}, matchConstraints: {} },
  { paramKind: { apiVersion: 'a/b/c', kind: 'No_Kind' } },
  { paramKind: { apiVersion: 'A/V', kind: 'Kind' } },
  { matchConstraints: undefined },
  { validations: [{ expression: '' }, { expression: '1' }, { expression: 'nothing' }] },
  { validations: [{ expression: 'true', message: ' ', messageExpression: ' ', reason: 'Because' }] },
  { validations: [{ expression: 'true', message: 'a\nb', messageExpression: '1' }] },
  { validations: [{ expression: 'params.a == 1' }] },
  {
    variables: [
      { name: 'a', expression: '1' },
      { name: 'in', expression: 'variables.b' },
      { name: '', expression: '' },
    ],
  },
  {
    variables: [{ name: 'a', expression: '1' }],
    validations: [{ expression: 'variables.a == "x"' }, { expression: 'variables.b' }],
  },
  {
    auditAnnotations: [
      { key: 'a b', valueExpression: '1' },
      { key: 'a', valueExpression: '' },
      { key: 'a', valueExpression: 'null' },
    ],
  },
  {
    matchConditions: [
      { name: 'a', expression: 'variables.a' },
      { name: 'a', expression: '' },
      { name: '-', expression: '1' },
    ],
  },
  { validations: [{ expression: 'request.nothing == 1 || namespaceObject.nothing == 1' }] },
  {
    matchConstraints: {
      resourceRules: [{ resourceNames: ['a/b', 'a/b'] }],
      matchPolicy: 'Some',
      namespaceSelector: { matchLabels: { a: '/' } },
    },
  },
];

const BAD_BINDINGS: readonly object[] = [
  { policyName: '' },
  { policyName: 'A_B' },
  { validationActions: [] },
  { validationActions: ['Deny', 'Warn', 'Deny', 'Shout'] },
  { paramRef: {} },
  { paramRef: { name: 'a/b', selector: {}, parameterNotFoundAction: 'Maybe' } },
  { paramRef: { name: 'a' } },
  { matchResources: { matchPolicy: 'Some', resourceRules: [{}] } },
];

const refusals: Scenario = {
  name: 'policies: are refused',
  steps: (namespace) => [
    ...INVALID.map((more) =>
      post(
        POLICIES,
        policy(`bad-${namespace}`, {
          matchConstraints: widgets(namespace),
          ...validations({ expression: 'true' }),
          ...more,
        }),
      ),
    ),
    post(POLICIES, policy(`bad-${namespace}`, { matchConstraints: widgets(namespace) })),
    ...BAD_BINDINGS.map((more) => post(BINDINGS, binding(`bad-${namespace}`, more))),
  ],
};

const lives: Scenario = {
  name: 'policies: are created, changed and deleted',
  steps: (namespace) => {
    const name = `fine-${namespace}`;
    const spec = { matchConstraints: widgets(namespace), ...validations({ expression: 'true' }) };
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    return [
      post(POLICIES, policy(name, spec)),
      get(`${POLICIES}/${name}`),
      get(`${POLICIES}/${name}`, AS_TABLE),
      mergePatch(`${POLICIES}/${name}`, { spec: { paramKind, variables: [{ name: 'a', expression: '1' }] } }),
      get(`${POLICIES}/${name}`, AS_TABLE),
      put(`${POLICIES}/${name}`, policy(name, spec)),
      get(`${POLICIES}/${name}/status`),
      remove(`${POLICIES}/${name}`),
    ];
  },
};

const bindingsLive: Scenario = {
  name: 'policies: bindings are created, changed and deleted',
  steps: (namespace) => {
    const name = `fine-${namespace}`;
    return [
      post(BINDINGS, binding(name, { matchResources: { excludeResourceRules: widgets(namespace).resourceRules } })),
      get(`${BINDINGS}/${name}`, AS_TABLE),
      mergePatch(`${BINDINGS}/${name}`, {
        spec: { paramRef: { name: 'b', namespace: 'c', parameterNotFoundAction: 'Allow' } },
      }),
      get(`${BINDINGS}/${name}`, AS_TABLE),
      remove(`${BINDINGS}/${name}`),
      get(REGISTRATION),
    ];
  },
};

export const WRITTEN_POLICIES: readonly Scenario[] = [refusals, lives, bindingsLive];
