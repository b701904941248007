/** Texts of what the configurations of admission share. */
import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { labelSelectorFields } from './meta.ts';

const ruleTexts = {
  apiGroups: 'API groups. An empty string means the core group, and * means all.',
  apiVersions: 'API versions, such as v1beta2. * means all.',
  operations: 'CREATE, UPDATE or DELETE; CONNECT is accepted but never occurs. * means all.',
  resources:
    'Plural names, such as machines, or machines/status for a subresource. * means all without subresources, */* all with them.',
  scope: 'Cluster, Namespaced, or * for both. Defaults to *.',
} satisfies FieldTexts;

const matchConditionsText = [
  'CEL expressions, at most 64, that must all be true. They may use object, oldObject and request.',
  { name: 'Name of the condition, unique within the list.', expression: 'Expression that returns a bool.' },
] satisfies FieldText;

export const matchResourcesTexts = {
  namespaceSelector: ['Labels of the namespaces whose objects match. Defaults to all namespaces.', labelSelectorFields],
  objectSelector: [
    'Labels of the objects that match, before or after the write. Defaults to all objects.',
    labelSelectorFields,
  ],
  resourceRules: [
    'Writes that match. One rule must match.',
    { ...ruleTexts, resourceNames: 'Names of the objects. Defaults to all.' },
  ],
  excludeResourceRules: [
    'Writes that do not match, whatever the other rules.',
    { ...ruleTexts, resourceNames: 'Names of the objects. Defaults to all.' },
  ],
  matchPolicy:
    'Equivalent matches writes in any version of a resource that a rule names, Exact only in the named versions. Defaults to Equivalent.',
} satisfies FieldTexts;

export const conditionsText: FieldText = matchConditionsText;

export const paramSelectorTexts = labelSelectorFields;

export const webhookFields = {
  name: 'Name of the webhook: a domain of at least three parts, unique within the configuration.',
  clientConfig: [
    'How the webhook is called. Exactly one of url and service is set; service is refused.',
    {
      url: 'An https URL without user, query or fragment. Link-local and metadata addresses are refused.',
      service: [
        'Refused: this server cannot reach Services. Use url instead.',
        {
          namespace: 'Namespace of the Service.',
          name: 'Name of the Service.',
          path: 'Path of the webhook.',
          port: 'Port of the Service. Defaults to 443.',
        },
      ],
      caBundle:
        'PEM encoded certificates of the CAs that may have signed the certificate of the server. Defaults to the public CAs.',
    },
  ],
  rules: ['Writes that are sent to the webhook. One rule must match.', ruleTexts],
  failurePolicy: 'Fail refuses a write if the webhook does not answer; Ignore continues without it. Defaults to Fail.',
  matchPolicy:
    'Equivalent matches writes in any version of a resource that a rule names, Exact only in the named versions. Defaults to Equivalent.',
  namespaceSelector: [
    'Labels of the namespaces whose objects are sent to the webhook. Defaults to all namespaces.',
    labelSelectorFields,
  ],
  objectSelector: [
    'Labels of the objects that are sent to the webhook, before or after the write. Defaults to all objects.',
    labelSelectorFields,
  ],
  sideEffects: 'None, or NoneOnDryRun if the webhook has side effects except in dry runs. Required.',
  timeoutSeconds: 'Timeout of a call in seconds, from 1 to 30. Defaults to 10.',
  admissionReviewVersions:
    'Versions of AdmissionReview that the webhook understands, the preferred one first. v1 or v1beta1 must be among them.',
  matchConditions: matchConditionsText,
} satisfies FieldTexts;
