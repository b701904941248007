import type { KubeObject } from '../../kube-api/object.ts';
import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { defaultBinding, validateBinding } from '../rules/kubernetes/policy-bindings.ts';
import { ageColumn } from '../schema/columns.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { admissionKind } from '../schema/webhook.ts';
import { type ValidatingAdmissionPolicyBinding, validatingAdmissionPolicyBindingSchema } from './schema.ts';

/** The bookmark of a watch has no spec. */
const paramRefOf = (object: KubeObject): string => {
  const { paramRef } = (object as Partial<ValidatingAdmissionPolicyBinding>).spec ?? {};
  if (!paramRef) return '<unset>';
  if (!paramRef.name) return '*';
  return paramRef.namespace ? `${paramRef.namespace}/${paramRef.name}` : paramRef.name;
};

export const validatingAdmissionPolicyBinding: ResourceDefinition<ValidatingAdmissionPolicyBinding> = {
  ...admissionKind,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  singular: 'validatingadmissionpolicybinding',
  get schema() {
    return toOpenApi(validatingAdmissionPolicyBindingSchema);
  },
  columns: [
    { name: 'PolicyName', type: 'string', jsonPath: '.spec.policyName', description: 'The policy that it binds' },
    {
      name: 'ParamRef',
      type: 'string',
      jsonPath: '.spec.paramRef.name',
      description: 'The parameters of the policy',
      value: (object) => paramRefOf(object),
    },
    ageColumn('ValidatingAdmissionPolicyBinding'),
  ],
  zero: { spec: {} },
  default: defaultBinding,
  validate: validateBinding,
};
