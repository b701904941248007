import { isDeepStrictEqual } from 'node:util';
import { forbiddenField, invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError, ResourceDefinition } from '../../kube-api/resource.ts';
import { validateSelectorSyntax } from '../rules/kubernetes/label-selector.ts';
import { validateTemplateMeta } from '../rules/names.ts';
import { ageColumn } from '../schema/columns.ts';
import { clusterLabelOf } from '../schema/definition-parts.ts';
import { hostKind } from '../schema/host-kind.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { type HostMachineTemplate, hostMachineTemplateSchema } from './schema.ts';

const FIELD = 'spec.template.spec';

const validate = ({ spec: { template } }: HostMachineTemplate, old: HostMachineTemplate | undefined): FieldError[] => {
  const metadata = validateTemplateMeta(template.metadata, 'spec.template.metadata');
  if (old && !isDeepStrictEqual(old.spec.template.spec, template.spec))
    return [...metadata, invalidValue(FIELD, template.spec, 'HostMachineTemplate.Spec is immutable')];
  const { providerID, selector } = template.spec;
  return [
    ...metadata,
    ...validateSelectorSyntax(selector, `${FIELD}.selector`),
    ...(providerID ? [forbiddenField(`${FIELD}.providerID`, 'cannot be set in templates')] : []),
  ];
};

export const hostMachineTemplate: ResourceDefinition<HostMachineTemplate> = {
  ...hostKind,
  kind: 'HostMachineTemplate',
  plural: 'hostmachinetemplates',
  singular: 'hostmachinetemplate',
  shortNames: [],
  statusSubresource: true,
  get schema() {
    return toOpenApi(hostMachineTemplateSchema);
  },
  columns: [ageColumn('HostMachineTemplate')],
  clusterNameOf: clusterLabelOf,
  validate,
};
