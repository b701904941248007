import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { matchResourcesTexts, paramSelectorTexts } from '../texts/webhook.ts';

export const validatingAdmissionPolicyBindingTexts = {
  text: 'Selects where a ValidatingAdmissionPolicy applies, with which parameters, and with which actions.',
  fields: {
    spec: [
      'The policy, its parameters and its actions.',
      {
        policyName: 'Name of the policy.',
        paramRef: [
          'The objects that hold the parameters, of the kind that the policy names.',
          {
            name: 'Name of one object. Not together with selector.',
            namespace: 'Namespace of the object. Defaults to that of the request.',
            selector: ['Labels of the objects; the policy is evaluated with each of them.', paramSelectorTexts],
            parameterNotFoundAction: 'Deny or Allow: the result if there is no such object.',
          },
        ],
        matchResources: ['Writes to which the binding is limited. Defaults to all of the policy.', matchResourcesTexts],
        validationActions: 'Deny, Warn and Audit: the actions if a validation is false. Not both Deny and Warn.',
      },
    ],
  },
} satisfies KindTexts;
