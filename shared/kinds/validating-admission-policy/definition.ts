import type { KubeObject } from '../../kube-api/object.ts';
import type { PolicySpec } from '../../kube-api/policies/policy.ts';
import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { defaultPolicy, validatePolicy } from '../rules/kubernetes/admission-policies.ts';
import { ageColumn, countColumn } from '../schema/columns.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { admissionKind } from '../schema/webhook.ts';
import { type ValidatingAdmissionPolicy, validatingAdmissionPolicySchema } from './schema.ts';

/** The bookmark of a watch has no spec. */
const specOf = (object: KubeObject): PolicySpec => (object as Partial<ValidatingAdmissionPolicy>).spec ?? {};

const paramKindOf = ({ paramKind }: PolicySpec): string =>
  paramKind ? `${paramKind.apiVersion}/${paramKind.kind}` : '<unset>';

export const validatingAdmissionPolicy: ResourceDefinition<ValidatingAdmissionPolicy> = {
  ...admissionKind,
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  singular: 'validatingadmissionpolicy',
  statusSubresource: true,
  get schema() {
    return toOpenApi(validatingAdmissionPolicySchema);
  },
  columns: [
    {
      ...countColumn('Validations', '.spec.validations', 'How many validations it has'),
      statedType: 'integer',
      value: (object) => (specOf(object).validations ?? []).length,
    },
    {
      name: 'ParamKind',
      type: 'string',
      jsonPath: '.spec.paramKind.kind',
      description: 'The kind of its parameters',
      value: (object) => paramKindOf(specOf(object)),
    },
    ageColumn('ValidatingAdmissionPolicy'),
  ],
  zero: { spec: {} },
  initialStatus: () => ({}),
  default: defaultPolicy,
  validate: validatePolicy,
};
