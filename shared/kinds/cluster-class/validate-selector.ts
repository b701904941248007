import { invalidValue } from '../../kube-api/field-error.ts';
import { checkQualifiedName } from '../../kube-api/names.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { TemplateRef } from '../schema/health-check.ts';
import type { PatchSelector } from './patch-schema.ts';
import type { ClusterClassSpec, MachineDeploymentClass, MachinePoolClass } from './schema.ts';

type WorkerClass = Pick<MachineDeploymentClass | MachinePoolClass, 'class' | 'bootstrap' | 'infrastructure'>;

/** A class name with at most one `*`, at its beginning or end. */
const faultOfName = (name: string): string | undefined => {
  if (!name.includes('*')) return undefined;
  if (name.split('*').length > 2) return 'selector can at most contain a single "*" rune';
  if (!name.startsWith('*') && !name.endsWith('*')) {
    return '"*" rune can only appear at the beginning, or ending of the selector';
  }
  const isValid = checkQualifiedName(name.replace('*', 'a')).length === 0;
  return isValid ? undefined : 'selector does not comply with the Kubernetes naming standards';
};

const namesClass = (name: string, className: string): boolean => {
  if (name.startsWith('*')) return className.endsWith(name.slice(1));
  return name.endsWith('*') ? className.startsWith(name.slice(0, -1)) : className === name;
};

const refersTo = ({ kind, apiVersion }: PatchSelector, ref: TemplateRef | undefined): boolean =>
  ref?.kind === kind && ref.apiVersion === apiVersion;

const validateNames = (
  selector: PatchSelector,
  names: readonly string[],
  classes: readonly WorkerClass[],
  { field, of }: { field: string; of: string },
): FieldError[] =>
  names.flatMap((name, index) => {
    const fault = faultOfName(name);
    const isUsed = classes
      .filter((worker) => namesClass(name, worker.class))
      .some((worker) => [worker.infrastructure, worker.bootstrap].some((it) => refersTo(selector, it.templateRef)));
    if (!fault && isUsed) return [];
    const unused = `selector is enabled but matches neither the bootstrap ref nor the infrastructure ref of a ${of} class`;
    return [invalidValue(`${field}.names[${index}]`, name, fault ?? unused)];
  });

const validateSingle = (selector: PatchSelector, spec: ClusterClassSpec, field: string): FieldError[] => {
  const { infrastructureCluster, controlPlane } = selector.matchResources;
  const { templateRef, machineInfrastructure } = spec.controlPlane;
  const ofControlPlane = [templateRef, machineInfrastructure?.templateRef].some((ref) => refersTo(selector, ref));
  const infrastructure = 'selector is enabled but does not match the infrastructure ref';
  const neither =
    'selector is enabled but matches neither the controlPlane ref nor the controlPlane machineInfrastructure ref';
  return [
    ...(infrastructureCluster && !refersTo(selector, spec.infrastructure.templateRef)
      ? [invalidValue(`${field}.infrastructureCluster`, true, infrastructure)]
      : []),
    ...(controlPlane && !ofControlPlane ? [invalidValue(`${field}.controlPlane`, true, neither)] : []),
  ];
};

/** A patch must select templates, and these must exist. */
export const validatePatchSelector = (selector: PatchSelector, spec: ClusterClassSpec, path: string): FieldError[] => {
  const { infrastructureCluster, controlPlane, machineDeploymentClass, machinePoolClass } = selector.matchResources;
  const deployments = machineDeploymentClass?.names ?? [];
  const pools = machinePoolClass?.names ?? [];
  if (!infrastructureCluster && !controlPlane && deployments.length + pools.length === 0) {
    return [invalidValue(path, JSON.stringify(selector, null, 2), 'no selector enabled')];
  }
  const field = `${path}.matchResources`;
  const { machineDeployments = [], machinePools = [] } = spec.workers ?? {};
  return [
    ...validateSingle(selector, spec, field),
    ...validateNames(selector, deployments, machineDeployments, {
      field: `${field}.machineDeploymentClass`,
      of: 'MachineDeployment',
    }),
    ...validateNames(selector, pools, machinePools, { field: `${field}.machinePoolClass`, of: 'MachinePool' }),
  ];
};
