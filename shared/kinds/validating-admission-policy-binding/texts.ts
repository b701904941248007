import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { matchResourcesTexts, paramSelectorTexts } from '../texts/webhook.ts';

export const validatingAdmissionPolicyBindingTexts = {
  text: 'Where a ValidatingAdmissionPolicy is in force, with which parameters, and what follows from it.',
  fields: {
    spec: [
      'What is bound.',
      {
        policyName: 'Name of the policy.',
        paramRef: [
          'The objects that hold the parameters, of the kind that the policy names.',
          {
            name: 'Name of one object. Not together with selector.',
            namespace: 'Namespace of the object. Defaults to that of the request.',
            selector: ['Labels of the objects, each of which the policy is evaluated with.', paramSelectorTexts],
            parameterNotFoundAction: 'Deny or Allow: what follows where there is no such object.',
          },
        ],
        matchResources: ['Writes that the binding is limited to. Defaults to all of the policy.', matchResourcesTexts],
        validationActions: 'Deny, Warn and Audit: what follows where a validation is false. Not both Deny and Warn.',
      },
    ],
  },
} satisfies KindTexts;
