import type { Messages } from './types.ts';

/** The messages of admissionregistration.k8s.io/v1, with the JSON names of their fields. */

const WEBHOOK: Messages[string] = {
  name: [1, 'string'],
  clientConfig: [2, 'WebhookClientConfig'],
  rules: [3, 'repeated', 'RuleWithOperations'],
  failurePolicy: [4, 'string'],
  namespaceSelector: [5, 'LabelSelector'],
  sideEffects: [6, 'string'],
  timeoutSeconds: [7, 'int32'],
  admissionReviewVersions: [8, 'repeated', 'string'],
  matchPolicy: [9, 'string'],
};

export const ADMISSION_MESSAGES: Messages = {
  ServiceReference: { namespace: [1, 'string'], name: [2, 'string'], path: [3, 'string'], port: [4, 'int32'] },
  WebhookClientConfig: { service: [1, 'ServiceReference'], caBundle: [2, 'bytes'], url: [3, 'string'] },
  Rule: {
    apiGroups: [1, 'repeated', 'string'],
    apiVersions: [2, 'repeated', 'string'],
    resources: [3, 'repeated', 'string'],
    scope: [4, 'string'],
  },
  RuleWithOperations: { operations: [1, 'repeated', 'string'], rule: [2, 'Rule'] },
  MatchCondition: { name: [1, 'string'], expression: [2, 'string'] },
  ValidatingWebhook: {
    ...WEBHOOK,
    objectSelector: [10, 'LabelSelector'],
    matchConditions: [11, 'repeated', 'MatchCondition'],
  },
  MutatingWebhook: {
    ...WEBHOOK,
    reinvocationPolicy: [10, 'string'],
    objectSelector: [11, 'LabelSelector'],
    matchConditions: [12, 'repeated', 'MatchCondition'],
  },
  ValidatingWebhookConfiguration: { metadata: [1, 'ObjectMeta'], webhooks: [2, 'repeated', 'ValidatingWebhook'] },
  MutatingWebhookConfiguration: { metadata: [1, 'ObjectMeta'], webhooks: [2, 'repeated', 'MutatingWebhook'] },
  ParamKind: { apiVersion: [1, 'string'], kind: [2, 'string'] },
  ParamRef: {
    name: [1, 'string'],
    namespace: [2, 'string'],
    selector: [3, 'LabelSelector'],
    parameterNotFoundAction: [4, 'string'],
  },
  NamedRuleWithOperations: {
    resourceNames: [1, 'repeated', 'string'],
    ruleWithOperations: [2, 'RuleWithOperations'],
  },
  MatchResources: {
    namespaceSelector: [1, 'LabelSelector'],
    objectSelector: [2, 'LabelSelector'],
    resourceRules: [3, 'repeated', 'NamedRuleWithOperations'],
    excludeResourceRules: [4, 'repeated', 'NamedRuleWithOperations'],
    matchPolicy: [7, 'string'],
  },
  Validation: {
    expression: [1, 'string'],
    message: [2, 'string'],
    reason: [3, 'string'],
    messageExpression: [4, 'string'],
  },
  AuditAnnotation: { key: [1, 'string'], valueExpression: [2, 'string'] },
  Variable: { name: [1, 'string'], expression: [2, 'string'] },
  ValidatingAdmissionPolicySpec: {
    paramKind: [1, 'ParamKind'],
    matchConstraints: [2, 'MatchResources'],
    validations: [3, 'repeated', 'Validation'],
    failurePolicy: [4, 'string'],
    auditAnnotations: [5, 'repeated', 'AuditAnnotation'],
    matchConditions: [6, 'repeated', 'MatchCondition'],
    variables: [7, 'repeated', 'Variable'],
  },
  ExpressionWarning: { fieldRef: [2, 'string'], warning: [3, 'string'] },
  TypeChecking: { expressionWarnings: [1, 'repeated', 'ExpressionWarning'] },
  Condition: {
    type: [1, 'string'],
    status: [2, 'string'],
    observedGeneration: [3, 'int64'],
    lastTransitionTime: [4, 'Time'],
    reason: [5, 'string'],
    message: [6, 'string'],
  },
  ValidatingAdmissionPolicyStatus: {
    observedGeneration: [1, 'int64'],
    typeChecking: [2, 'TypeChecking'],
    conditions: [3, 'repeated', 'Condition'],
  },
  ValidatingAdmissionPolicy: {
    metadata: [1, 'ObjectMeta'],
    spec: [2, 'ValidatingAdmissionPolicySpec'],
    status: [3, 'ValidatingAdmissionPolicyStatus'],
  },
  ValidatingAdmissionPolicyBindingSpec: {
    policyName: [1, 'string'],
    paramRef: [2, 'ParamRef'],
    matchResources: [3, 'MatchResources'],
    validationActions: [4, 'repeated', 'string'],
  },
  ValidatingAdmissionPolicyBinding: {
    metadata: [1, 'ObjectMeta'],
    spec: [2, 'ValidatingAdmissionPolicyBindingSpec'],
  },
};

/** Fields that JSON inlines into the enclosing message. */
export const INLINED: Readonly<Record<string, string>> = {
  RuleWithOperations: 'rule',
  NamedRuleWithOperations: 'ruleWithOperations',
};
