import { forbiddenField, invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { compareReleases, parseVersion } from '../rules/bootstrap/version.ts';
import { validateHealthCheck } from '../rules/health-check.ts';
import { validateTaints } from '../rules/machines.ts';
import { validateTemplateMeta } from '../rules/names.ts';
import { hasReplicaBounds, validateRollingUpdate } from '../rules/replicas.ts';
import type { Cluster, Topology } from './schema.ts';

const FIELD = 'spec.topology';
const CONCURRENCY = 'topology.cluster.x-k8s.io/upgrade-concurrency';
const MAY_SET_CLASS = 'unsafe.topology.cluster.x-k8s.io/disable-update-class-name-check';
const MAY_SET_VERSION = 'unsafe.topology.cluster.x-k8s.io/disable-update-version-check';

type Workers = NonNullable<Topology['workers']>;
type Deployment = NonNullable<Workers['machineDeployments']>[number];
type Pool = NonNullable<Workers['machinePools']>[number];

const validateControlPlane = ({ controlPlane = {} }: Topology): FieldError[] => {
  const field = `${FIELD}.controlPlane`;
  return [
    ...validateTemplateMeta(controlPlane.metadata, `${field}.metadata`),
    ...validateTaints(controlPlane.taints, `${field}.taints`, 'control-plane'),
    ...validateHealthCheck(controlPlane.healthCheck ?? {}, `${field}.healthCheck`),
  ];
};

const validateDeployment = (deployment: Deployment, { name, namespace = '' }: Cluster['metadata']): FieldError[] => {
  const { metadata, taints, replicas, rollout, healthCheck = {} } = deployment;
  const field = `${FIELD}.workers.machineDeployments[${deployment.name}]`;
  const scaled = `cannot be set for cluster "${name}" in namespace "${namespace}" if the same MachineDeploymentTopology has autoscaler annotations`;
  return [
    ...validateTemplateMeta(metadata, `${field}.metadata`),
    ...validateRollingUpdate(rollout?.strategy?.rollingUpdate, `${field}.rollout.strategy.rollingUpdate`),
    ...validateTaints(taints, `${field}.taints`, 'control-plane'),
    ...validateHealthCheck(healthCheck, `${field}.healthCheck`),
    ...(replicas !== undefined && hasReplicaBounds(metadata?.annotations)
      ? [invalidValue(`${field}.replicas`, replicas, scaled)]
      : []),
  ];
};

const validatePool = ({ name, metadata, taints }: Pool): FieldError[] => {
  const field = `${FIELD}.workers.machinePools[${name}]`;
  return [
    ...validateTemplateMeta(metadata, `${field}.metadata`),
    ...validateTaints(taints, `${field}.taints`, 'control-plane'),
  ];
};

const validateConcurrency = ({ annotations }: Cluster['metadata']): FieldError[] => {
  const concurrency = annotations?.[CONCURRENCY];
  if (concurrency === undefined) return [];
  const field = `metadata.annotations.${CONCURRENCY}`;
  if (!/^[+-]?\d+$/.test(concurrency)) {
    const why = `strconv.Atoi: parsing ${JSON.stringify(concurrency)}: invalid syntax`;
    return [invalidValue(field, concurrency, `could not parse the value of the annotation: ${why}`)];
  }
  return Number(concurrency) < 1 ? [invalidValue(field, concurrency, 'value cannot be less than 1')] : [];
};

const validateVersion = ({ version }: Topology, old: Topology | undefined, mayChange: boolean): FieldError[] => {
  const field = `${FIELD}.version`;
  if (!parseVersion(version)) return [invalidValue(field, version, 'version must be a valid semantic version')];
  if (!old || mayChange || compareReleases(version, old.version) >= 0) return [];
  const [was, is] = [old.version, version].map((it) => it.replace(/^v/, ''));
  return [invalidValue(field, version, `version cannot be decreased from "${was}" to "${is}"`)];
};

/**
 * Cluster API's rules for a topology (core/webhooks/admission/cluster.go) that do not depend on its ClusterClass and
 * the objects of the cluster.
 */
export const validateTopology = ({ metadata }: Cluster, topology: Topology, old: Cluster | undefined): FieldError[] => {
  const annotations = metadata.annotations ?? {};
  const isAdded = old !== undefined && !old.spec.topology && !(MAY_SET_CLASS in annotations);
  return [
    ...validateVersion(topology, old?.spec.topology, MAY_SET_VERSION in annotations),
    ...validateControlPlane(topology),
    ...(topology.workers?.machineDeployments ?? []).flatMap((it) => validateDeployment(it, metadata)),
    ...(topology.workers?.machinePools ?? []).flatMap(validatePool),
    ...validateConcurrency(metadata),
    ...(isAdded ? [forbiddenField(`${FIELD}.class`, 'classRef cannot be set on an existing Cluster')] : []),
  ];
};
