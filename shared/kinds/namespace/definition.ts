import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { coreKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { namespaceColumns } from './columns.ts';
import { defaultNamespace, keepFinalizers, labelWithName, setFinalizers } from './defaults.ts';
import { type Namespace, namespaceSchema } from './schema.ts';
import { validateNamespace } from './validate.ts';

export const namespace: ResourceDefinition<Namespace> = {
  ...coreKind,
  kind: 'Namespace',
  plural: 'namespaces',
  singular: 'namespace',
  shortNames: ['ns'],
  get schema() {
    return toOpenApi(namespaceSchema);
  },
  columns: namespaceColumns,
  namespaced: false,
  statusSubresource: true,
  zero: { spec: {}, status: {} },
  withoutVerbs: ['deletecollection'],
  selectableFields: ['.status.phase'],
  completeMetadata: labelWithName,
  default: defaultNamespace,
  validate: validateNamespace,
  decide: keepFinalizers,
  finalize: setFinalizers,
};
