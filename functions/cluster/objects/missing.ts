import type { ControlPlane } from '../../../shared/distributions/objects.ts';
import { distributionOf } from '../../../shared/distributions/registry.ts';
import { kinds, type MachineSet } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { preflight } from '../../../shared/plan/workers/preflight.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ObjectsDependencies } from './dependencies.ts';

const absent = async <T extends KubeObject>(
  { objects }: ObjectsDependencies,
  resource: ResourceDefinition<T>,
  namespace: string,
  name: string | undefined,
): Promise<string[]> => {
  if (!name || (await objects.get(resource, { namespace, name }))) return [];
  return [`* ${resource.kind} ${namespace}/${name} does not exist`];
};

const joined = (lines: readonly string[]): string | undefined => (lines.length > 0 ? lines.join('\n') : undefined);

/** What a control plane that lacks machines refers to and does not exist; looked up only when machines are missing. */
export const missingForControlPlane = async (
  deps: ObjectsDependencies,
  { spec, metadata }: ControlPlane,
  present: number,
): Promise<string | undefined> => {
  if (metadata.deletionTimestamp || present >= (spec.replicas ?? 1)) return undefined;
  const name = spec.machineTemplate.spec.infrastructureRef.name;
  return joined(await absent(deps, kinds.awsMachineTemplate, metadata.namespace ?? '', name));
};

/**
 * What keeps a set that lacks machines from making them: a template that does not exist, or a preflight check. Undefined
 * where nothing does.
 */
export const blockedForSet = async (
  deps: ObjectsDependencies,
  { controlPlane }: ClusterSnapshot,
  set: MachineSet,
  present: number,
): Promise<string | undefined> => {
  const { spec, metadata } = set;
  if (metadata.deletionTimestamp || present >= (spec.replicas ?? 1)) return undefined;
  const namespace = metadata.namespace ?? '';
  const { infrastructureRef, bootstrap } = spec.template.spec;
  const distribution = distributionOf('configTemplate', bootstrap.configRef);
  const key = { namespace, name: bootstrap.configRef?.name ?? '' };
  const [missing, template] = await Promise.all([
    absent(deps, kinds.awsMachineTemplate, namespace, infrastructureRef.name),
    distribution ? deps.objects.get(distribution.configTemplate, key) : undefined,
  ]);
  const kind = distribution?.configTemplate.kind;
  const lacking = kind && !template ? [`* ${kind} ${namespace}/${key.name} does not exist`] : [];
  const failed = preflight(set, controlPlane, template).map((line) => `* ${line}`);
  return joined([...missing, ...lacking, ...failed]);
};
