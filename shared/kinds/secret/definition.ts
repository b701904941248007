import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterLabelOf, coreKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { secretColumns } from './columns.ts';
import { defaultSecret } from './defaults.ts';
import { type Secret, secretSchema } from './schema.ts';
import { validateSecret } from './validate.ts';

export const secret: ResourceDefinition<Secret> = {
  ...coreKind,
  kind: 'Secret',
  plural: 'secrets',
  singular: 'secret',
  shortNames: [],
  get schema() {
    return toOpenApi(secretSchema);
  },
  columns: secretColumns,
  clusterNameOf: clusterLabelOf,
  selectableFields: ['.type'],
  default: defaultSecret,
  validate: validateSecret,
};
