import { forbiddenField, invalidValue } from '../../kube-api/field-error.ts';
import { checkLabelValue } from '../../kube-api/names.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { cidrFields, validateCidrs, validateDisjoint } from '../rules/aws/cidr.ts';
import { validateCloudController } from '../rules/cloud-controller.ts';
import { validateDriftPolicies } from '../rules/drift-policy.ts';
import { validateReportChanges } from '../rules/report-changes.ts';
import type { Cluster, ClusterSpec } from './schema.ts';
import { validateTopology } from './validate-topology.ts';

const validateNetwork = ({ clusterNetwork }: ClusterSpec): FieldError[] => {
  const pods = cidrFields('spec.clusterNetwork.pods.cidrBlocks', clusterNetwork?.pods?.cidrBlocks);
  const services = cidrFields('spec.clusterNetwork.services.cidrBlocks', clusterNetwork?.services?.cidrBlocks);
  const blocks = [...pods, ...services];
  return [...validateCidrs(blocks), ...validateDisjoint(blocks)];
};

const validateRefs = (next: ClusterSpec, old: ClusterSpec | undefined): FieldError[] => {
  const isEmpty = !next.controlPlaneRef && !next.infrastructureRef && !next.topology;
  const removed = (['infrastructureRef', 'controlPlaneRef'] as const).filter((ref) => old?.[ref] && !next[ref]);
  const oneOf = 'one of spec.controlPlaneRef, spec.infrastructureRef or spec.topology must be set';
  return [
    ...removed.map((ref) => forbiddenField(`spec.${ref}`, 'cannot be removed')),
    ...(isEmpty ? [forbiddenField('spec', oneOf)] : []),
    ...(old?.topology && !next.topology
      ? [forbiddenField('spec.topology', 'cannot be removed from an existing Cluster')]
      : []),
  ];
};

const INITIALIZATION = 'windlass.dev/node-initialization';

const validateAnnotations = ({ metadata: { annotations = {} } }: Cluster): FieldError[] => {
  const value = annotations[INITIALIZATION];
  if (value === undefined || value === 'Enabled' || value === 'Disabled') return [];
  return [invalidValue(`metadata.annotations[${INITIALIZATION}]`, value, 'must be Enabled or Disabled')];
};

/**
 * Cluster API's rules (core/webhooks/admission/cluster.go) and two of Windlass's own: pod and service networks must not
 * overlap, and our annotations must be valid.
 */
export const validateCluster = (cluster: Cluster, old: Cluster | undefined): FieldError[] => [
  ...checkLabelValue(cluster.metadata.name).map((detail) =>
    invalidValue('metadata.name', cluster.metadata.name, `must be a valid label value ${detail}`),
  ),
  ...validateAnnotations(cluster),
  ...validateCloudController(cluster),
  ...validateReportChanges(cluster),
  ...validateDriftPolicies(cluster),
  ...validateRefs(cluster.spec, old?.spec),
  ...validateNetwork(cluster.spec),
  ...(cluster.spec.topology ? validateTopology(cluster, cluster.spec.topology, old) : []),
];
