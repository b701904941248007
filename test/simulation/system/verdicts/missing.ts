/** The conditions for which a step waits. */
import type { ControlPlane } from '../../../../shared/kinds/contract-objects.ts';
import type { Cluster, Machine, MachineDeployment } from '../../../../shared/kinds/index.ts';
import { findCondition, isTrue } from '../../../../shared/plan/status/conditions.ts';
import { whatChecksLack } from '../stories/health-checks.ts';
import type { Step } from '../stories/step.ts';
import { CLUSTER, controlPlaneOf, DEPLOYMENT, machinesIn, named, type User } from '../user.ts';
import type { World } from '../world.ts';
import { instancesMissing } from './judge.ts';

/** Also checks the observed generation, because the status may belong to the previous spec. */
const isRolledOut = (owner: MachineDeployment | ControlPlane | undefined, replicas: number): boolean =>
  owner?.status?.observedGeneration === owner?.metadata.generation &&
  (owner?.status?.upToDateReplicas ?? 0) === replicas;

const whatControlPlaneLacks = async (user: User, controlPlane: number): Promise<string | undefined> => {
  const owner = await controlPlaneOf(user);
  return isRolledOut(owner, controlPlane) && isTrue(owner?.status?.conditions, 'Available')
    ? undefined
    : 'the rollout of the control plane is not done';
};

/** The reason why a step is not done yet; undefined if it is. */
export const whatIsMissing = async (
  user: User,
  { sizes, isOfControlPlane }: Pick<Step, 'sizes' | 'isOfControlPlane'>,
): Promise<string | undefined> => {
  const { controlPlane, workers } = sizes;
  if (isOfControlPlane) return whatControlPlaneLacks(user, controlPlane);
  const cluster = await named<Cluster>(user, 'Cluster', CLUSTER);
  if (cluster === undefined) return 'there is no Cluster';
  const available = findCondition(cluster.status?.conditions, 'Available');
  if (available?.status !== 'True') return `Available: ${available?.message ?? 'unknown'}`;
  const deployment = await named<MachineDeployment>(user, 'MachineDeployment', DEPLOYMENT);
  if (deployment === undefined) return 'there is no MachineDeployment';
  const machines = await user.list<Machine>('Machine');
  if (machines.length !== machinesIn(sizes)) return `${machines.length} machines`;
  if (machines.some(({ metadata }) => metadata.deletionTimestamp)) return 'a machine is still deleted';
  const unready = machines.filter(({ status }) => !isTrue(status?.conditions, 'Available'));
  if (unready.length > 0) return `${unready.length} machines are not Available`;
  return isRolledOut(deployment, workers) ? whatControlPlaneLacks(user, controlPlane) : 'the rollout is not done';
};

/**
 * The reason why a step, including everything that belongs to it, is not done yet; undefined if it is. With `isSwept`,
 * this does not wait for the health checks: the following sweep reports those that have not seen all machines.
 */
export const whatStepLacks = async (
  step: Step,
  { user, world, isSwept = false }: { user: User; world: World; isSwept?: boolean | undefined },
): Promise<string | undefined> => {
  if (step.isFree) return step.lacks?.(user, world);
  const missing = (await whatIsMissing(user, step)) ?? instancesMissing(world.account, step);
  if (missing !== undefined) return missing;
  const checks = isSwept || step.isOfControlPlane ? undefined : await whatChecksLack(user, machinesIn(step.sizes));
  return checks ?? step.lacks?.(user, world);
};
