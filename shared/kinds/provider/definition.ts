import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { ageColumn, textColumn } from '../schema/columns.ts';
import { clusterApiKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { type Provider, providerSchema } from './schema.ts';

/** clusterctl's inventory. It creates this kind itself if it is missing, but cannot do so here. */
export const provider: ResourceDefinition<Provider> = {
  ...clusterApiKind,
  statusSubresource: false,
  group: 'clusterctl.cluster.x-k8s.io',
  version: 'v1alpha3',
  kind: 'Provider',
  plural: 'providers',
  singular: 'provider',
  shortNames: [],
  get schema() {
    return toOpenApi(providerSchema);
  },
  columns: [
    ageColumn('Provider'),
    textColumn('Type', '.type', 'What the provider provides'),
    textColumn('Provider', '.providerName', 'Name of the provider'),
    textColumn('Version', '.version', 'Version of the provider'),
  ],
};
