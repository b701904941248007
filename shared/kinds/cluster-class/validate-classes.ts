import { forbiddenField, invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateHealthCheck } from '../rules/health-check.ts';
import { validateTaints } from '../rules/machines.ts';
import { validateNameTemplate, validateTemplateMeta } from '../rules/names.ts';
import { validateRollingUpdate } from '../rules/replicas.ts';
import type { TemplateRef } from '../schema/health-check.ts';
import type { ClusterClassSpec, MachineDeploymentClass, MachinePoolClass } from './schema.ts';

const DEPLOYMENTS = 'spec.workers.machineDeployments';
const POOLS = 'spec.workers.machinePools';

const TEMPLATE = /.Template$/;

/** Upstream's messages use the field `ref`, its former name. */
const validateRef = (ref: TemplateRef | undefined, field: string): FieldError[] =>
  ref === undefined || TEMPLATE.test(ref.kind)
    ? []
    : [invalidValue(`${field}.ref.kind`, ref.kind, 'template kind must be of form "<name>Template"')];

const validateControlPlane = ({ controlPlane }: ClusterClassSpec): FieldError[] => {
  const field = 'spec.controlPlane';
  const { healthCheck, machineInfrastructure, naming, taints, metadata } = controlPlane;
  const needed = 'can be only set if spec.controlPlane.machineInfrastructure is set';
  return [
    ...validateRef(controlPlane.templateRef, `${field}.templateRef`),
    ...validateRef(machineInfrastructure?.templateRef, `${field}.machineInfrastructure.templateRef`),
    ...(healthCheck ? validateHealthCheck(healthCheck, `${field}.healthCheck`) : []),
    ...(healthCheck && !machineInfrastructure ? [forbiddenField(`${field}.healthCheck`, needed)] : []),
    ...validateNameTemplate(naming?.template, `${field}.naming.template`, 'ControlPlane'),
    ...validateTaints(taints, `${field}.taints`, 'control-plane'),
    ...validateTemplateMeta(metadata, `${field}.metadata`),
  ];
};

const validateWorkers = (worker: MachineDeploymentClass | MachinePoolClass, field: string): FieldError[] => [
  ...validateRef(worker.bootstrap.templateRef, `${field}.bootstrap.templateRef`),
  ...validateRef(worker.infrastructure.templateRef, `${field}.infrastructure.templateRef`),
  ...validateTaints(worker.taints, `${field}.taints`, 'control-plane'),
  ...validateTemplateMeta(worker.metadata, `${field}.template.metadata`),
];

const validateDeployment = (worker: MachineDeploymentClass): FieldError[] => {
  const field = `${DEPLOYMENTS}[${worker.class}]`;
  return [
    ...validateWorkers(worker, field),
    ...validateRollingUpdate(worker.rollout?.strategy?.rollingUpdate, `${field}.rollout.strategy.rollingUpdate`),
    ...(worker.healthCheck ? validateHealthCheck(worker.healthCheck, `${field}.healthCheck`) : []),
    ...validateNameTemplate(worker.naming?.template, `${field}.naming.template`, 'MachineDeployment'),
  ];
};

const validatePool = (worker: MachinePoolClass): FieldError[] => {
  const field = `${POOLS}[${worker.class}]`;
  const naming = validateNameTemplate(worker.naming?.template, `${field}.naming.template`, 'MachinePool');
  return [...validateWorkers(worker, field), ...naming];
};

/** Rules for the objects that a class creates: templates, names, taints, health checks, rollouts. */
export const validateClasses = (spec: ClusterClassSpec): FieldError[] => {
  const { templateRef, naming } = spec.infrastructure;
  return [
    ...validateRef(templateRef, 'spec.infrastructure.templateRef'),
    ...validateNameTemplate(naming?.template, 'spec.infrastructure.naming.template', 'InfraCluster'),
    ...validateControlPlane(spec),
    ...(spec.workers?.machineDeployments ?? []).flatMap(validateDeployment),
    ...(spec.workers?.machinePools ?? []).flatMap(validatePool),
  ];
};

const groupOf = (apiVersion: string | undefined): string => apiVersion?.split('/')[0] ?? '';

/** A template may only be replaced by another one of the same kind: existing objects cannot become something else. */
const validateSameKind = (next: TemplateRef | undefined, old: TemplateRef | undefined, field: string): FieldError[] => {
  const [group, was] = [groupOf(next?.apiVersion), groupOf(old?.apiVersion)];
  const [kind, wasKind] = [next?.kind ?? '', old?.kind ?? ''];
  const why = 'to prevent incompatible changes in the Clusters';
  return [
    ...(group === was
      ? []
      : [
          forbiddenField(
            `${field}.apiVersion`,
            `group of apiVersion cannot be changed from "${was}" to "${group}" ${why}`,
          ),
        ]),
    ...(kind === wasKind
      ? []
      : [forbiddenField(`${field}.kind`, `kind cannot be changed from "${wasKind}" to "${kind}" ${why}`)]),
  ];
};

const validateSameWorkers = (
  next: readonly (MachineDeploymentClass | MachinePoolClass)[] = [],
  old: readonly (MachineDeploymentClass | MachinePoolClass)[] = [],
  field: string,
): FieldError[] => {
  const known = new Map(old.map((worker) => [worker.class, worker]));
  return next.flatMap((worker, index) => {
    const before = known.get(worker.class);
    if (!before) return [];
    const at = `${field}[${index}].infrastructure.templateRef`;
    return validateSameKind(worker.infrastructure.templateRef, before.infrastructure.templateRef, at);
  });
};

/** What must not change in an existing class (internal/topology/check/compatibility.go). */
export const validateCompatible = (next: ClusterClassSpec, old: ClusterClassSpec): FieldError[] => [
  ...validateSameKind(
    next.infrastructure.templateRef,
    old.infrastructure.templateRef,
    'spec.infrastructure.templateRef',
  ),
  ...validateSameKind(next.controlPlane.templateRef, old.controlPlane.templateRef, 'spec.controlPlane.templateRef'),
  ...validateSameKind(
    next.controlPlane.machineInfrastructure?.templateRef,
    old.controlPlane.machineInfrastructure?.templateRef,
    'spec.controlPlane.machineInfrastructure.templateRef',
  ),
  ...validateSameWorkers(next.workers?.machineDeployments, old.workers?.machineDeployments, DEPLOYMENTS),
  ...validateSameWorkers(next.workers?.machinePools, old.workers?.machinePools, POOLS),
];
