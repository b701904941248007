import { type AWSCluster, kinds } from '../../../../../shared/kinds/index.ts';
import { bastionStatus, needsBastion } from '../../../../../shared/providers/aws/network/bastion/launch.ts';
import type { ObservedBastion } from '../../../../../shared/providers/aws/network/bastion/model.ts';
import { observeBastions } from '../../../../../shared/providers/aws/network/bastion/observe.ts';
import type { NetworkDependencies } from '../dependencies.ts';
import type { NetworkLook } from '../look.ts';
import { launchBastion } from './launch.ts';
import { BASTION_CONDITION, writeBastion } from './record.ts';
import { removeBastion } from './remove.ts';

const record = (deps: NetworkDependencies, look: NetworkLook, bastion: ObservedBastion) =>
  writeBastion(
    deps,
    look,
    (current) => ({ ...current, status: { ...current.status, bastion: bastionStatus(bastion) } }),
    [{ type: BASTION_CONDITION, status: 'True' }],
  );

const ensure = async (deps: NetworkDependencies, look: NetworkLook, awsCluster: AWSCluster): Promise<void> => {
  if (!needsBastion(awsCluster)) {
    const message = 'No bastion is created: spec.network.subnets has no private subnet';
    await writeBastion(deps, look, (current) => current, [{ type: BASTION_CONDITION, status: 'True', message }]);
    return;
  }
  const [there] = await observeBastions(look.ec2, look.desired.cluster);
  if (there && there.state !== 'shutting-down') {
    await record(deps, look, there);
    return;
  }
  const made = await launchBastion(deps, look, awsCluster);
  if (made) await record(deps, look, made);
};

/**
 * Creates the bastion of spec.bastion, or removes one that the spec no longer contains. The cluster does not wait for
 * it: errors are reported in the condition BastionHostReady. Throws temporary errors.
 */
export const reconcileBastion = async (deps: NetworkDependencies, look: NetworkLook): Promise<void> => {
  const awsCluster = await deps.objects.get(kinds.awsCluster, look.scope.key);
  if (!awsCluster || awsCluster.metadata.deletionTimestamp) return;
  await (awsCluster.spec.bastion?.enabled ? ensure : removeBastion)(deps, look, awsCluster);
};
