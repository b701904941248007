import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { defaultRke2Config, validateRke2Config, warnRke2Config } from '../rules/bootstrap/rke2.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { type RKE2Config, rke2ConfigSchema } from './schema.ts';

export const rke2Config: ResourceDefinition<RKE2Config> = {
  ...clusterApiKind,
  group: 'bootstrap.cluster.x-k8s.io',
  kind: 'RKE2Config',
  plural: 'rke2configs',
  singular: 'rke2config',
  shortNames: [],
  get schema() {
    return toOpenApi(rke2ConfigSchema);
  },
  columns: [],
  clusterNameOf: clusterLabelOf,
  default: (config) => ({ ...config, spec: defaultRke2Config(config.spec ?? {}) }),
  validate: ({ spec }, old) => validateRke2Config(spec, old?.spec, 'spec'),
  warnings: ({ spec }) => warnRke2Config(spec, 'spec'),
};
