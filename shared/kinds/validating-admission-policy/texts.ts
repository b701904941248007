import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { conditionsText, matchResourcesTexts } from '../texts/webhook.ts';

export const validatingAdmissionPolicyTexts = {
  text: 'CEL expressions that validate writes, as selected by a ValidatingAdmissionPolicyBinding.',
  fields: {
    spec: [
      'The rules of the policy.',
      {
        paramKind: [
          'The kind of objects that hold parameters. Without it there are none.',
          { apiVersion: 'Group and version of the kind, such as v1.', kind: 'Name of the kind, such as ConfigMap.' },
        ],
        matchConstraints: ['Writes that the policy validates.', matchResourcesTexts],
        validations: [
          'Expressions that must be true.',
          {
            expression:
              'CEL expression that may use object, oldObject, request, params, namespaceObject and variables. authorizer is refused.',
            message: 'The error message if the expression is false. One line.',
            messageExpression: 'Expression that returns the error message; it takes precedence over message.',
            reason: 'Invalid, Forbidden or RequestEntityTooLarge. Defaults to Invalid.',
          },
        ],
        failurePolicy: 'Fail refuses a write if an expression fails; Ignore ignores the failure. Defaults to Fail.',
        auditAnnotations: [
          'Values that are added to the audit log line of each request, at most 20.',
          {
            key: 'Second part of the name, after that of the policy.',
            valueExpression: 'Expression that returns a string, or null for none.',
          },
        ],
        matchConditions: conditionsText,
        variables: [
          'Values that later expressions use by name, such as variables.total.',
          { name: 'A CEL identifier.', expression: 'Expression that is evaluated when the variable is first used.' },
        ],
      },
    ],
    status: ['Stays empty.', { observedGeneration: 'Is not set.' }],
  },
} satisfies KindTexts;
