import { anyDistributionOf } from '../../../../shared/distributions/registry.ts';
import type { Machine, MachineDeployment, MachineSet } from '../../../../shared/kinds/index.ts';
import { absenceOf, type Reference } from '../../../../shared/kinds/reference.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import type { ControlPlaneFacts } from '../../../../shared/plan/control-plane/plan.ts';
import { rolesOf } from '../../../../shared/plan/rollout/current-set.ts';
import { preflight } from '../../../../shared/plan/workers/preflight.ts';
import { infrastructureOf } from '../../../../shared/providers/registry.ts';
import type { ClusterSnapshot } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';

/** `resource` is undefined if the kind in the reference is not served. */
const absent = async <T extends KubeObject>(
  { objects }: ObjectsDependencies,
  resource: ResourceDefinition<T> | undefined,
  namespace: string,
  reference: Reference,
): Promise<string[]> => {
  const { name = '' } = reference;
  if (resource && (await objects.get(resource, { namespace, name }))) return [];
  return [`* ${absenceOf(reference, namespace)}`];
};

const absentMachineTemplate = (deps: ObjectsDependencies, namespace: string, reference: Reference) =>
  absent(deps, infrastructureOf('machineTemplate', reference)?.machineTemplate, namespace, reference);

/**
 * Whether a machine has had no infrastructure since its creation. If it had an instance before, it has lost it: another
 * one would be a second machine with the same name.
 */
export const isIncomplete = ({ metadata, spec }: Machine, { infrastructureMachines }: ClusterSnapshot): boolean =>
  !metadata.deletionTimestamp &&
  !spec.providerID &&
  infrastructureOf('machine', spec.infrastructureRef) !== undefined &&
  !infrastructureMachines.has(metadata.name);

const joined = (lines: readonly string[]): string | undefined => (lines.length > 0 ? lines.join('\n') : undefined);

/**
 * The missing objects to which a control plane refers and which it now needs for machines; checked only if machines are
 * missing or must be replaced.
 */
export const missingForControlPlane = async (
  deps: ObjectsDependencies,
  { controlPlane: { spec, metadata }, machines, outdated }: ControlPlaneFacts,
): Promise<string | undefined> => {
  const isMaking = machines.length < (spec.replicas ?? 1) || outdated.size > 0;
  if (metadata.deletionTimestamp || !isMaking) return undefined;
  const { infrastructureRef } = spec.machineTemplate.spec;
  return joined(await absentMachineTemplate(deps, metadata.namespace ?? '', infrastructureRef));
};

/** The facts of a control plane whose template is missing: no machine is deleted, because it could not be replaced. */
export const whileMissing = (facts: ControlPlaneFacts, missing: string | undefined): ControlPlaneFacts =>
  missing === undefined ? facts : { ...facts, waits: missing };

/** The missing templates of a deployment or a set, one line each. */
export const missingTemplates = async (
  deps: ObjectsDependencies,
  { metadata, spec }: MachineSet | MachineDeployment,
): Promise<string[]> => {
  const namespace = metadata.namespace ?? '';
  const { infrastructureRef, bootstrap } = spec.template.spec;
  const distribution = anyDistributionOf('configTemplate', bootstrap.configRef);
  const found = await Promise.all([
    absentMachineTemplate(deps, namespace, infrastructureRef),
    bootstrap.configRef ? absent(deps, distribution?.configTemplate, namespace, bootstrap.configRef) : [],
  ]);
  return found.flat();
};

/** The reason why a deployment cannot start with its template; undefined if it has started or can start. */
export const blockedForDeployment = async (
  deps: ObjectsDependencies,
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
): Promise<string | undefined> => {
  if (deployment.metadata.deletionTimestamp || rolesOf(deployment, sets, deps.clock.now()).current) return undefined;
  return joined(await missingTemplates(deps, deployment));
};

/**
 * The reason why a set cannot create its missing machines: a template that does not exist, or a preflight check.
 * Undefined if it can.
 */
export const blockedForSet = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  set: MachineSet,
  present: number,
): Promise<string | undefined> => {
  const { spec, metadata } = set;
  if (metadata.deletionTimestamp || present >= (spec.replicas ?? 1)) return undefined;
  const namespace = metadata.namespace ?? '';
  const { infrastructureRef, bootstrap } = spec.template.spec;
  const distribution = anyDistributionOf('configTemplate', bootstrap.configRef);
  const key = { namespace, name: bootstrap.configRef?.name ?? '' };
  const [missing, template] = await Promise.all([
    absentMachineTemplate(deps, namespace, infrastructureRef),
    distribution ? deps.objects.get(distribution.configTemplate, key) : undefined,
  ]);
  const { configRef } = bootstrap;
  const lacking = configRef && !template ? [`* ${absenceOf(configRef, namespace)}`] : [];
  const failed = preflight(set, snapshot, template).map((line) => `* ${line}`);
  return joined([...missing, ...lacking, ...failed]);
};
