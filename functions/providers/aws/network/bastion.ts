import {
  describeAwsError,
  isCapacityUnavailable,
  isNotFound,
  isPermanent,
  isSpentToken,
} from '../../../../shared/aws/errors.ts';
import { type AWSCluster, kinds } from '../../../../shared/kinds/index.ts';
import { isOverdue } from '../../../../shared/plan/machines/waiting.ts';
import { type LegacyClaim, withLegacyConditions } from '../../../../shared/plan/status/legacy-conditions.ts';
import {
  type BastionLaunch,
  bastionImageQuery,
  bastionRequest,
  bastionStatus,
  bastionSubnet,
  needsBastion,
  readBastionLaunch,
  withBastionLaunch,
} from '../../../../shared/providers/aws/network/bastion/launch.ts';
import type { ObservedBastion } from '../../../../shared/providers/aws/network/bastion/model.ts';
import { observeBastions } from '../../../../shared/providers/aws/network/bastion/observe.ts';
import { intendedAt, isFresh, newIntent } from '../../../../shared/providers/aws/network/intents.ts';
import { securityGroupsByRole } from '../../../../shared/providers/aws/network/security-groups/plan.ts';
import { chooseVpc } from '../../../../shared/providers/aws/network/vpc/choose.ts';
import { newestImage } from '../../../../shared/providers/aws/plan/launch/image.ts';
import { VISIBLE_SECONDS } from '../../../../shared/providers/aws/plan/visibility.ts';
import type { NetworkDependencies } from './dependencies.ts';
import type { NetworkLook } from './look.ts';
import { recorder } from './reasons.ts';

const TYPE = 'BastionHostReady';

const claim = (reason: 'BastionCreationStarted' | 'BastionHostFailed', message: string): LegacyClaim => {
  const severity = reason === 'BastionHostFailed' ? 'Error' : 'Info';
  return { type: TYPE, status: 'False', severity, reason, message };
};

const write = (
  { objects, clock }: NetworkDependencies,
  { scope }: NetworkLook,
  change: (current: AWSCluster) => AWSCluster | undefined,
  claims: readonly LegacyClaim[] = [],
): Promise<AWSCluster | undefined> =>
  objects.mutate(kinds.awsCluster, scope.key, (current) => {
    const changed = current.metadata.deletionTimestamp ? undefined : change(current);
    return changed && withLegacyConditions(changed, claims, clock.now());
  });

const fail = async (deps: NetworkDependencies, look: NetworkLook, message: string) => {
  const failed = claim('BastionHostFailed', message);
  await write(deps, look, (current) => withBastionLaunch(current, undefined), [failed]);
  await recorder(deps).warning(look.scope.awsCluster, 'FailedCreateBastion', message);
};

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

/** The recorded decision, whether of this run or of another. */
const recordLaunch = async (deps: NetworkDependencies, look: NetworkLook, current: AWSCluster) => {
  const before = readBastionLaunch(current);
  if (before) return before;
  const decided = await decide(deps, look, current).catch((error: unknown) => {
    if (isPermanent(error)) return { problem: describeAwsError(error) };
    throw error;
  });
  if ('problem' in decided) return decided;
  const started = claim('BastionCreationStarted', 'The bastion is being created');
  const stored = await write(
    deps,
    look,
    (latest) => (readBastionLaunch(latest) ? latest : withBastionLaunch(latest, decided)),
    [started],
  );
  return readBastionLaunch(stored);
};

/**
 * Whether the same request cannot succeed: because AWS refuses it, has no capacity for it, or because something that it
 * names was deleted since it was decided, such as a security group. Only throttling and faults of AWS are left.
 */
const isHopeless = (error: unknown, { token }: BastionLaunch, now: Date): boolean =>
  isCapacityUnavailable(error) ||
  isPermanent(error) ||
  (isNotFound(error) && isOverdue(intendedAt(token), VISIBLE_SECONDS, now));

/** Requests the same launch each time. A token whose instance was terminated outside Windlass is discarded. */
const launch = async (deps: NetworkDependencies, look: NetworkLook, decided: BastionLaunch) => {
  try {
    const made = await look.ec2.runBastion(decided.request);
    const message = `Created bastion instance ${made.id}`;
    await recorder(deps).normal(look.scope.awsCluster, 'SuccessfulCreateBastion', message);
    return made;
  } catch (error) {
    if (isSpentToken(error)) {
      await write(deps, look, (current) => withBastionLaunch(current, undefined));
      return undefined;
    }
    if (!isHopeless(error, decided, deps.clock.now())) throw error;
    await fail(deps, look, describeAwsError(error));
    return undefined;
  }
};

const record = (deps: NetworkDependencies, look: NetworkLook, bastion: ObservedBastion) =>
  write(deps, look, (current) => ({ ...current, status: { ...current.status, bastion: bastionStatus(bastion) } }), [
    { type: TYPE, status: 'True' },
  ]);

const ensure = async (deps: NetworkDependencies, look: NetworkLook, awsCluster: AWSCluster): Promise<void> => {
  if (!needsBastion(awsCluster)) {
    const message = 'No bastion is created: spec.network.subnets has no private subnet';
    await write(deps, look, (current) => current, [{ type: TYPE, status: 'True', message }]);
    return;
  }
  const [there] = await observeBastions(look.ec2, look.desired.cluster);
  if (there && there.state !== 'shutting-down') {
    await record(deps, look, there);
    return;
  }
  const decided = await recordLaunch(deps, look, awsCluster);
  if (!decided) return;
  if ('problem' in decided) {
    await fail(deps, look, decided.problem);
    return;
  }
  const made = await launch(deps, look, decided);
  if (made) await record(deps, look, made);
};

const forget = (awsCluster: AWSCluster): AWSCluster => {
  const { bastion: _gone, ...status } = awsCluster.status ?? {};
  const conditions = status.conditions?.filter(({ type }) => type !== TYPE);
  return { ...withBastionLaunch(awsCluster, undefined), status: { ...status, ...(conditions ? { conditions } : {}) } };
};

/** EC2 is not called for a cluster that never had a bastion. */
const isTraced = (awsCluster: AWSCluster): boolean =>
  readBastionLaunch(awsCluster) !== undefined ||
  awsCluster.status?.bastion !== undefined ||
  awsCluster.status?.conditions?.some(({ type }) => type === TYPE) === true;

const dispose = async (deps: NetworkDependencies, look: NetworkLook, awsCluster: AWSCluster): Promise<void> => {
  if (!isTraced(awsCluster)) return;
  const now = deps.clock.now();
  const there = await observeBastions(look.ec2, look.desired.cluster);
  for (const { id, state } of there) {
    if (state === 'shutting-down') continue;
    await look.ec2.terminateBastion(id);
    const message = `Terminated bastion instance ${id}`;
    await recorder(deps).normal(look.scope.awsCluster, 'SuccessfulTerminateBastion', message);
  }
  // A bastion that was just requested may not be visible yet: the next pass checks again.
  const recorded = readBastionLaunch(awsCluster);
  if (there.length === 0 && recorded && !awsCluster.status?.bastion && isFresh(recorded.token, now)) return;
  await write(deps, look, forget);
};

/**
 * Creates the bastion of spec.bastion, or removes one that the spec no longer contains. The cluster does not wait for
 * it: errors are reported in the condition BastionHostReady. Throws temporary errors.
 */
export const reconcileBastion = async (deps: NetworkDependencies, look: NetworkLook): Promise<void> => {
  const awsCluster = await deps.objects.get(kinds.awsCluster, look.scope.key);
  if (!awsCluster || awsCluster.metadata.deletionTimestamp) return;
  await (awsCluster.spec.bastion?.enabled ? ensure : dispose)(deps, look, awsCluster);
};
