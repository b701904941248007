import * as z from 'zod';
import { ADMISSION_GROUP } from '../../kube-api/webhooks/configuration.ts';
import { anyText, bytes, int32, int64, keyedList, list, options, struct, textMap } from './fields.ts';

/**
 * The parts of admission configurations. Requirements of Kubernetes itself are left to the validation, whose messages
 * are more specific than a schema's.
 */

const texts = list(anyText);

const requirement = struct({ key: anyText, operator: anyText }, { values: texts });

/** Like the selector of other kinds, but without rules: the validation reports what is missing. */
const selector = options({ matchLabels: textMap, matchExpressions: list(requirement) }).meta({
  'x-kubernetes-map-type': 'atomic',
});

const ruleFields = { apiGroups: texts, apiVersions: texts, operations: texts, resources: texts, scope: anyText };

const clientConfig = options({
  url: anyText,
  service: struct({ namespace: anyText, name: anyText }, { path: anyText, port: int32() }),
  caBundle: bytes,
});

const matchConditions = keyedList(['name'], struct({ name: anyText, expression: anyText }, {})).meta({
  'x-kubernetes-patch-strategy': 'merge',
  'x-kubernetes-patch-merge-key': 'name',
});

const requiredFields = {
  name: anyText,
  clientConfig,
  sideEffects: anyText,
  admissionReviewVersions: texts,
};

const webhookFields = {
  rules: list(options(ruleFields)),
  failurePolicy: anyText,
  matchPolicy: anyText,
  namespaceSelector: selector,
  objectSelector: selector,
  timeoutSeconds: int32(),
  matchConditions,
};

const webhooksOf = <T extends z.ZodType>(webhook: T) =>
  keyedList(['name'], webhook).meta({
    'x-kubernetes-patch-strategy': 'merge',
    'x-kubernetes-patch-merge-key': 'name',
  });

export const validatingWebhooks = options({ webhooks: webhooksOf(struct(requiredFields, webhookFields)) });

export const mutatingWebhooks = options({
  webhooks: webhooksOf(struct(requiredFields, { ...webhookFields, reinvocationPolicy: anyText })),
});

const ruleWithNames = options({ ...ruleFields, resourceNames: texts });

const matchResources = options({
  namespaceSelector: selector,
  objectSelector: selector,
  resourceRules: list(ruleWithNames),
  excludeResourceRules: list(ruleWithNames),
  matchPolicy: anyText,
}).meta({ 'x-kubernetes-map-type': 'atomic' });

const policyVariable = struct({ name: anyText, expression: anyText }, {}).meta({ 'x-kubernetes-map-type': 'atomic' });

const keyedVariables = keyedList(['name'], policyVariable).meta({
  'x-kubernetes-patch-strategy': 'merge',
  'x-kubernetes-patch-merge-key': 'name',
});

const policySpec = options({
  paramKind: options({ apiVersion: anyText, kind: anyText }).meta({ 'x-kubernetes-map-type': 'atomic' }),
  matchConstraints: matchResources,
  validations: list(struct({ expression: anyText }, { message: anyText, reason: anyText, messageExpression: anyText })),
  failurePolicy: anyText,
  auditAnnotations: list(struct({ key: anyText, valueExpression: anyText }, {})),
  matchConditions,
  variables: keyedVariables,
});

/** There is no counterpart here of the controller that writes the status in upstream, so it remains empty. */
export const admissionPolicy = options({ spec: policySpec, status: options({ observedGeneration: int64() }) });

const bindingSpec = options({
  policyName: anyText,
  paramRef: options({ name: anyText, namespace: anyText, selector, parameterNotFoundAction: anyText }).meta({
    'x-kubernetes-map-type': 'atomic',
  }),
  matchResources,
  validationActions: z.array(anyText).meta({ 'x-kubernetes-list-type': 'set' }),
});

export const policyBinding = options({ spec: bindingSpec });

/** Properties that the definitions of the admission kinds have in common. */
export const admissionKind = {
  group: ADMISSION_GROUP,
  version: 'v1',
  shortNames: [],
  categories: ['api-extensions'],
  namespaced: false,
  statusSubresource: false,
  builtIn: true,
  versionRequired: true,
  // The rules report missing and duplicate values together with all other errors.
  validateBody: () => [],
} as const;
