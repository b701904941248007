import { describeAwsError, isNotFound, isPermanent } from '../../../../../shared/aws/errors.ts';
import type { AWSCluster } from '../../../../../shared/kinds/index.ts';
import { isBastionHidden } from '../../../../../shared/providers/aws/network/bastion/hidden.ts';
import { readBastionLaunch, withBastionLaunch } from '../../../../../shared/providers/aws/network/bastion/launch.ts';
import { observeBastions } from '../../../../../shared/providers/aws/network/bastion/observe.ts';
import type { NetworkDependencies } from '../dependencies.ts';
import type { NetworkLook } from '../look.ts';
import { recorder } from '../reasons.ts';
import { BASTION_CONDITION, bastionClaim, writeBastion } from './record.ts';

const forget = (awsCluster: AWSCluster): AWSCluster => {
  const { bastion: _gone, ...status } = awsCluster.status ?? {};
  const conditions = status.conditions?.filter(({ type }) => type !== BASTION_CONDITION);
  return { ...withBastionLaunch(awsCluster, undefined), status: { ...status, ...(conditions ? { conditions } : {}) } };
};

/** EC2 is not called for a cluster that never had a bastion. */
const isTraced = (awsCluster: AWSCluster): boolean =>
  readBastionLaunch(awsCluster) !== undefined ||
  awsCluster.status?.bastion !== undefined ||
  awsCluster.status?.conditions?.some(({ type }) => type === BASTION_CONDITION) === true;

/** Whether the bastion is terminated or gone. A refusal is reported, and blocks nothing else. */
const isTerminated = async (deps: NetworkDependencies, look: NetworkLook, id: string): Promise<boolean> => {
  const events = recorder(deps);
  try {
    await look.ec2.terminateBastion(id);
  } catch (error) {
    if (isNotFound(error)) return true;
    if (!isPermanent(error)) throw error;
    const message = `Bastion instance ${id} cannot be terminated: ${describeAwsError(error)}`;
    await writeBastion(deps, look, (current) => current, [bastionClaim('DeletingFailed', message)]);
    await events.warning(look.scope.awsCluster, 'FailedTerminateBastion', message);
    return false;
  }
  await events.normal(look.scope.awsCluster, 'SuccessfulTerminateBastion', `Terminated bastion instance ${id}`);
  return true;
};

/** Terminates the bastions of a cluster whose spec has none, and removes their record. Throws temporary errors. */
export const removeBastion = async (
  deps: NetworkDependencies,
  look: NetworkLook,
  awsCluster: AWSCluster,
): Promise<void> => {
  if (!isTraced(awsCluster)) return;
  const now = deps.clock.now();
  const there = await observeBastions(look.ec2, look.desired.cluster);
  for (const { id, state } of there) {
    if (state !== 'shutting-down' && !(await isTerminated(deps, look, id))) return;
  }
  // EC2 may not show the bastion yet. A pass that the sweep requests checks again.
  if (there.length === 0 && isBastionHidden(awsCluster, now)) return;
  await writeBastion(deps, look, forget);
};
