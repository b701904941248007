import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { extensionConfigColumns } from './columns.ts';
import { defaultExtensionConfig } from './defaults.ts';
import { type ExtensionConfig, extensionConfigSchema } from './schema.ts';
import { extensionConfigV1alpha1 } from './v1alpha1/version.ts';
import { validateExtensionConfig } from './validate.ts';

export const extensionConfig: ResourceDefinition<ExtensionConfig> = {
  ...clusterApiKind,
  namespaced: false,
  group: 'runtime.cluster.x-k8s.io',
  kind: 'ExtensionConfig',
  plural: 'extensionconfigs',
  singular: 'extensionconfig',
  shortNames: ['ext'],
  get schema() {
    return toOpenApi(extensionConfigSchema);
  },
  columns: extensionConfigColumns,
  default: defaultExtensionConfig,
  validate: validateExtensionConfig,
  versions: [extensionConfigV1alpha1],
};
