import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterLabelOf, coreKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { configMapColumns } from './columns.ts';
import { type ConfigMap, configMapSchema } from './schema.ts';
import { validateConfigMap } from './validate.ts';

export const configMap: ResourceDefinition<ConfigMap> = {
  ...coreKind,
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  shortNames: ['cm'],
  get schema() {
    return toOpenApi(configMapSchema);
  },
  columns: configMapColumns,
  clusterNameOf: clusterLabelOf,
  validate: validateConfigMap,
};
