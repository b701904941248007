import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { conditionsText, matchResourcesTexts } from '../texts/webhook.ts';

export const validatingAdmissionPolicyTexts = {
  text: 'Expressions of CEL that decide on writes, wherever a ValidatingAdmissionPolicyBinding says so.',
  fields: {
    spec: [
      'What the policy demands.',
      {
        paramKind: [
          'The kind of objects that hold parameters. Without it there are none.',
          { apiVersion: 'Group and version of the kind, such as v1.', kind: 'Name of the kind, such as ConfigMap.' },
        ],
        matchConstraints: ['Writes that the policy decides on.', matchResourcesTexts],
        validations: [
          'Expressions that must be true.',
          {
            expression:
              'Sees object, oldObject, request, params, namespaceObject and variables. authorizer is refused.',
            message: 'What is said where it is false. One line.',
            messageExpression: 'Gives the message; it takes precedence over message.',
            reason: 'Invalid, Forbidden or RequestEntityTooLarge. Defaults to Invalid.',
          },
        ],
        failurePolicy: 'Fail refuses a write where an expression fails, Ignore goes on. Defaults to Fail.',
        auditAnnotations: [
          'What is noted in the audit line of each request, at most 20.',
          {
            key: 'Second part of the name, after that of the policy.',
            valueExpression: 'Gives a text, or null for none.',
          },
        ],
        matchConditions: conditionsText,
        variables: [
          'Values that later expressions use by name, such as variables.total.',
          { name: 'An identifier of CEL.', expression: 'Gives the value when it is first used.' },
        ],
      },
    ],
    status: ['Stays empty.', { observedGeneration: 'Is not set.' }],
  },
} satisfies KindTexts;
