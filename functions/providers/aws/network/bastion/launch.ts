import {
  describeAwsError,
  isCapacityUnavailable,
  isNotFound,
  isPermanent,
  isSpentToken,
} from '../../../../../shared/aws/errors.ts';
import type { AWSCluster } from '../../../../../shared/kinds/index.ts';
import { isOverdue } from '../../../../../shared/plan/machines/waiting.ts';
import {
  type BastionLaunch,
  bastionImageQuery,
  bastionRequest,
  bastionSubnet,
  readBastionLaunch,
  withBastionLaunch,
} from '../../../../../shared/providers/aws/network/bastion/launch.ts';
import type { ObservedBastion } from '../../../../../shared/providers/aws/network/bastion/model.ts';
import { intendedAt, isFresh, newIntent } from '../../../../../shared/providers/aws/network/intents.ts';
import { securityGroupsByRole } from '../../../../../shared/providers/aws/network/security-groups/plan.ts';
import { chooseVpc } from '../../../../../shared/providers/aws/network/vpc/choose.ts';
import { newestImage } from '../../../../../shared/providers/aws/plan/launch/image.ts';
import { VISIBLE_SECONDS } from '../../../../../shared/providers/aws/plan/visibility.ts';
import type { NetworkDependencies } from '../dependencies.ts';
import type { NetworkLook } from '../look.ts';
import { recorder } from '../reasons.ts';
import { bastionClaim, writeBastion } from './record.ts';

/** Decides the launch, or returns what prevents it. */
const decide = async (
  deps: NetworkDependencies,
  { ec2, desired, observed }: NetworkLook,
  awsCluster: AWSCluster,
): Promise<BastionLaunch | { problem: string }> => {
  const subnet = bastionSubnet(awsCluster);
  if (!subnet) return { problem: 'spec.bastion.enabled needs a public subnet, and spec.network.subnets has none' };
  const choice = chooseVpc(desired, observed.vpcs);
  const vpcId = choice.state === 'ours' || choice.state === 'unmanaged' ? choice.vpc.id : '';
  const group = securityGroupsByRole({ desired, observed }, vpcId).bastion;
  if (!group) return { problem: 'the security group of the bastion does not exist' };
  const { ami } = awsCluster.spec.bastion ?? {};
  const query = ami ? { id: ami } : bastionImageQuery(subnet.availabilityZone ?? '');
  const found = newestImage(await ec2.describeBastionImages(query));
  if (!found?.ImageId) {
    const sought = 'id' in query ? query.id : `owner ${query.owner} and description ${query.description}`;
    return { problem: `there is no image with ${sought}: spec.bastion.ami may name another` };
  }
  const image = { id: found.ImageId, rootDevice: found.RootDeviceName ?? '/dev/sda1' };
  const clientToken = deps.random.uuid();
  const request = bastionRequest({
    cluster: desired.cluster,
    awsCluster,
    subnet,
    groupId: group.id,
    image,
    clientToken,
  });
  return { token: newIntent(deps.clock.now(), clientToken.slice(0, 8)), request };
};

/** A recorded launch; `isNew` if nothing can have requested it before this run. */
interface Recorded extends BastionLaunch {
  isNew: boolean;
}

/** The recorded decision, whether of this run or of another. */
const recordLaunch = async (
  deps: NetworkDependencies,
  look: NetworkLook,
  current: AWSCluster,
): Promise<Recorded | { problem: string } | undefined> => {
  const before = readBastionLaunch(current);
  if (before) return { ...before, isNew: false };
  const decided = await decide(deps, look, current).catch((error: unknown) => {
    if (isPermanent(error)) return { problem: describeAwsError(error) };
    throw error;
  });
  if ('problem' in decided) return decided;
  const started = bastionClaim('BastionCreationStarted', 'The bastion is being created');
  const stored = await writeBastion(
    deps,
    look,
    (latest) => (readBastionLaunch(latest) ? latest : withBastionLaunch(latest, decided)),
    [started],
  );
  const recorded = readBastionLaunch(stored);
  return recorded && { ...recorded, isNew: recorded.token === decided.token };
};

/**
 * Whether the same request cannot succeed: because AWS refuses it, has no capacity for it, or because something that it
 * names was deleted since it was decided, such as a security group. Only throttling and faults of AWS are left.
 */
const isHopeless = (error: unknown, { token }: BastionLaunch, now: Date): boolean =>
  isCapacityUnavailable(error) ||
  isPermanent(error) ||
  (isNotFound(error) && isOverdue(intendedAt(token), VISIBLE_SECONDS, now));

/**
 * Reports what prevents the launch. A launch that was requested before is discarded only when its instance would be
 * visible: the answer to the first request may have been lost, and another launch would create a second bastion.
 */
const fail = async (deps: NetworkDependencies, look: NetworkLook, message: string, launch?: Recorded) => {
  const mayExist = launch && !launch.isNew && isFresh(launch.token, deps.clock.now(), VISIBLE_SECONDS);
  const failed = bastionClaim('BastionHostFailed', message);
  await writeBastion(deps, look, (current) => (mayExist ? current : withBastionLaunch(current, undefined)), [failed]);
  await recorder(deps).warning(look.scope.awsCluster, 'FailedCreateBastion', message);
};

/** Requests the same launch each time. A token whose instance was terminated outside Windlass is discarded. */
const request = async (deps: NetworkDependencies, look: NetworkLook, decided: Recorded) => {
  try {
    const made = await look.ec2.runBastion(decided.request);
    const message = `Created bastion instance ${made.id}`;
    await recorder(deps).normal(look.scope.awsCluster, 'SuccessfulCreateBastion', message);
    return made;
  } catch (error) {
    if (isSpentToken(error)) {
      await writeBastion(deps, look, (current) => withBastionLaunch(current, undefined));
      return undefined;
    }
    if (!isHopeless(error, decided, deps.clock.now())) throw error;
    await fail(deps, look, describeAwsError(error), decided);
    return undefined;
  }
};

/**
 * Launches the bastion, or repeats the recorded request. Undefined if there is none; the condition BastionHostReady says
 * why. Throws temporary errors.
 */
export const launchBastion = async (
  deps: NetworkDependencies,
  look: NetworkLook,
  awsCluster: AWSCluster,
): Promise<ObservedBastion | undefined> => {
  const decided = await recordLaunch(deps, look, awsCluster);
  if (!decided) return undefined;
  if (!('problem' in decided)) return request(deps, look, decided);
  await fail(deps, look, decided.problem);
  return undefined;
};
