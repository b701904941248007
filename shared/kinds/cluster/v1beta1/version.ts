import { ageColumn, textColumn } from '../../schema/columns.ts';
import { failureDomainMap, objectReference } from '../../v1beta1/codecs.ts';
import { field, within } from '../../v1beta1/rules.ts';
import { conditionRules, failureRules } from '../../v1beta1/shared-rules.ts';
import { v1beta1 } from '../../v1beta1/version.ts';
import { oldClusterSchema } from './schema.ts';
import { topologyRules } from './topology.ts';

export const clusterV1beta1 = v1beta1({
  schema: oldClusterSchema,
  rules: [
    field('spec.infrastructureRef', 'spec.infrastructureRef', objectReference),
    field('spec.controlPlaneRef', 'spec.controlPlaneRef', objectReference),
    ...within('spec.topology', 'spec.topology', topologyRules),
    ...conditionRules,
    ...failureRules,
    field('status.v1beta2.controlPlane', 'status.controlPlane'),
    field('status.v1beta2.workers', 'status.workers'),
    field('status.controlPlaneReady', 'status.initialization.controlPlaneInitialized'),
    field('status.infrastructureReady', 'status.initialization.infrastructureProvisioned'),
    field('status.failureDomains', 'status.failureDomains', failureDomainMap),
  ],
  legacy: {
    conditions: {
      Ready: 'Available',
      ControlPlaneInitialized: 'ControlPlaneInitialized',
      ControlPlaneReady: 'ControlPlaneAvailable',
      InfrastructureReady: 'InfrastructureReady',
    },
  },
  columns: [
    textColumn('ClusterClass', '.spec.topology.class', 'ClusterClass of the Cluster, if it has one'),
    textColumn('Phase', '.status.phase', 'Phase of the Cluster, such as Provisioned'),
    ageColumn('Cluster'),
    textColumn('Version', '.spec.topology.version', 'Kubernetes version of the topology'),
  ],
});
