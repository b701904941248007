import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { warnRke2Config } from '../rules/bootstrap/rke2.ts';
import {
  ageColumn,
  clusterLabelColumn,
  conditionColumn,
  pausedColumn,
  replicaColumns,
  textColumn,
} from '../schema/columns.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { defaultRke2ControlPlane } from './defaults.ts';
import { type RKE2ControlPlane, rke2ControlPlaneSchema } from './schema.ts';
import { validateRke2ControlPlane } from './validate.ts';

export const rke2ControlPlane: ResourceDefinition<RKE2ControlPlane> = {
  ...clusterApiKind,
  group: 'controlplane.cluster.x-k8s.io',
  kind: 'RKE2ControlPlane',
  plural: 'rke2controlplanes',
  singular: 'rke2controlplane',
  shortNames: [],
  get schema() {
    return toOpenApi(rke2ControlPlaneSchema);
  },
  columns: [
    clusterLabelColumn,
    conditionColumn('Available', 'Available', 'Whether the control plane passes all availability checks'),
    ...replicaColumns,
    pausedColumn,
    {
      name: 'Initialized',
      type: 'boolean',
      jsonPath: '.status.initialization.controlPlaneInitialized',
      description: 'Whether the control plane can accept requests',
    },
    ageColumn('RKE2ControlPlane'),
    textColumn('Version', '.spec.version', 'RKE2 version of the control plane'),
  ],
  clusterNameOf: clusterLabelOf,
  default: defaultRke2ControlPlane,
  validate: validateRke2ControlPlane,
  warnings: ({ spec }) => warnRke2Config(spec, 'spec'),
};
