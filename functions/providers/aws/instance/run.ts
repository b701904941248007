import {
  awsCodeOf,
  describeAwsError,
  isCapacityUnavailable,
  isNotFound,
  isRefusal,
  isServerFault,
  isThrottling,
  madeNothing,
  translateAwsError,
} from '../../../../shared/aws/errors.ts';
import { taggedIfPermitted } from '../../../../shared/aws/tagging.ts';
import { CapacityUnavailableError, RefusedError, TransientError } from '../../../../shared/errors.ts';
import { type AWSMachine, kinds } from '../../../../shared/kinds/index.ts';
import { isControlPlaneMachine } from '../../../../shared/plan/labels.ts';
import { isOverdue } from '../../../../shared/plan/machines/waiting.ts';
import { withLegacyCondition } from '../../../../shared/plan/status/legacy-conditions.ts';
import { blamedField } from '../../../../shared/providers/aws/plan/launch/blame.ts';
import {
  type CapacityRefusal,
  concernsOthers,
  describeCandidate,
} from '../../../../shared/providers/aws/plan/launch/candidates.ts';
import { onHost, wantsHost } from '../../../../shared/providers/aws/plan/launch/host.ts';
import { isSpot } from '../../../../shared/providers/aws/plan/launch/market.ts';
import { lastSent } from '../../../../shared/providers/aws/plan/launch/recorded.ts';
import { withoutRequestTags } from '../../../../shared/providers/aws/plan/launch/request.ts';
import { VISIBLE_SECONDS } from '../../../../shared/providers/aws/plan/visibility.ts';
import type { LaunchObjects } from './decide.ts';
import type { InstanceDependencies } from './dependencies.ts';
import { findByUid } from './find-made-elsewhere.ts';
import { ensureHost } from './host.ts';
import type { Instance } from './ownership.ts';
import { recorder } from './reasons.ts';
import {
  type DecidedLaunch,
  type DueLaunch,
  recordAnswer,
  recordHidden,
  recordLaunch,
  releaseLaunch,
} from './recorded-launch.ts';

const MISMATCH = 'IdempotentParameterMismatch';
const TERMINATED = 'IdempotentInstanceTerminated';

const send = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  launch: DecidedLaunch,
  UserData: string,
): Promise<Instance | undefined> => {
  const { ec2 } = deps;
  const { request } = launch;
  const isPlaced = wantsHost(objects.infrastructure);
  const placed = isPlaced ? onHost(request, await ensureHost(deps, objects, launch)) : request;
  const bare = withoutRequestTags(placed);
  const run = () => ec2.run({ ...placed, UserData });
  return bare ? taggedIfPermitted(run, () => ec2.run({ ...bare, UserData })) : run();
};

/** Whether EC2 has answered that this attempt creates nothing. Some endpoints report a lack of capacity with a 500. */
const isRefused = (error: unknown): boolean =>
  awsCodeOf(error) !== undefined && !isThrottling(error) && (isCapacityUnavailable(error) || !isServerFault(error));

/**
 * Since when an attempt before the refused one may have launched an instance, in this call or in an earlier one.
 * Permissions and images are checked before the client token, so a refusal says nothing about earlier attempts.
 */
const openBefore = ({ launch, openSince }: DueLaunch, error: unknown): string | undefined =>
  openSince ?? (madeNothing(error) ? undefined : lastSent(launch));

/**
 * Sends the request. If an earlier attempt has launched the instance, it is found even if EC2 now refuses the request.
 * The user data may differ too, because a presigned URL is different each time.
 */
const runOnce = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  due: DueLaunch,
  userData: string,
): Promise<Instance | undefined> => {
  try {
    return await send(deps, objects, due.launch, userData);
  } catch (error) {
    const mayExist = awsCodeOf(error) === MISMATCH || (isRefused(error) && openBefore(due, error) !== undefined);
    if (!mayExist) throw error;
    const [launched] = await findByUid(deps, objects.machine);
    if (!launched) throw error;
    return launched;
  }
};

const refusalOf = (
  { clock }: InstanceDependencies,
  infrastructure: AWSMachine,
  { request, zone }: DecidedLaunch,
  error: unknown,
): CapacityRefusal => ({
  instanceType: request.InstanceType ?? '',
  ...(zone ? { zone } : {}),
  subnetId: request.NetworkInterfaces?.[0]?.SubnetId ?? '',
  isSpot: isSpot(infrastructure),
  code: awsCodeOf(error) ?? '',
  at: clock.now().toISOString(),
});

const nameOf = ({ request, zone }: DecidedLaunch): string => describeCandidate(request.InstanceType ?? '', zone);

/** Reports the new location of the machine, as an event and in its InstanceReady. */
const recordFallback = async (
  deps: InstanceDependencies,
  { machine, infrastructure }: LaunchObjects,
  before: DecidedLaunch,
  next: DecidedLaunch,
  error: unknown,
): Promise<void> => {
  const leaves =
    isControlPlaneMachine(machine) && machine.spec.failureDomain && next.zone !== machine.spec.failureDomain;
  const spread = leaves
    ? `; the control plane is no longer spread evenly over the zones, because none of its types is available in ${machine.spec.failureDomain}`
    : '';
  const message = `No ${nameOf(before)} (${awsCodeOf(error)}), trying ${nameOf(next)}${spread}`;
  await recorder(deps).warning(infrastructure, 'CapacityFallback', message);
  const key = { namespace: infrastructure.metadata.namespace ?? '', name: infrastructure.metadata.name };
  const claim = {
    type: 'InstanceReady',
    status: 'False',
    severity: 'Info',
    reason: 'InstanceProvisionStarted',
    message,
  } as const;
  await deps.objects.mutate(kinds.awsMachine, key, (current) => withLegacyCondition(current, claim, deps.clock.now()));
};

const exhausted = (launch: DecidedLaunch, refusal: CapacityRefusal): string =>
  [...(launch.refused ?? []), refusal]
    .map(({ instanceType, zone, code }) => `${describeCandidate(instanceType, zone)}: ${code}`)
    .join('; ');

/**
 * Records a refusal for lack of capacity, and then the next request. Throws if there are no candidates left. EC2 returns
 * the instance of a client token, if there is one, before it looks for capacity, so nothing has to be waited for.
 */
const fallBack = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  { launch }: DueLaunch,
  error: unknown,
): Promise<DueLaunch> => {
  const refusal = refusalOf(deps, objects.infrastructure, launch, error);
  if (concernsOthers(objects.infrastructure, refusal)) deps.capacity.remember(refusal);
  const infrastructure = await releaseLaunch(deps, objects, launch, refusal);
  // Another run has launched it in the meantime: the same request returns its instance.
  if (infrastructure.spec.instanceID) return { launch, infrastructure, openSince: lastSent(launch) };
  const next = await recordLaunch(deps, { ...objects, infrastructure }, { isFirst: false });
  if (!next) {
    const tried = exhausted(launch, refusal);
    throw new CapacityUnavailableError(`spec.instanceType: ${tried}: ${describeAwsError(error)}`, { cause: error });
  }
  await recordFallback(deps, objects, launch, next.launch, error);
  return next;
};

/**
 * The time for which an earlier answer of EC2 about a client token is valid: EC2 keeps the token for a day after the
 * instance was terminated.
 */
const TOKEN_SECONDS = 12 * 60 * 60;

const ENDED = new Set<string | undefined>(['shutting-down', 'terminated']);

/** `hidden`: EC2 has created an instance, and does not show it yet or any more. */
type Token = 'usable' | 'hidden' | 'spent';

/**
 * Whether the instance of a request ended before it was recorded, so that its client token is spent. EC2 reports this
 * only for an identical request; if the user data differ, it reports a different request instead. It shows a terminated
 * instance for an hour. An instance that it does not show is gone if it was created so long ago that EC2 would show it.
 */
const tokenOf = async (
  { ec2, clock }: InstanceDependencies,
  { request, hiddenAt }: DecidedLaunch,
  code: string | undefined,
): Promise<Token> => {
  if (code !== MISMATCH) return code === TERMINATED ? 'spent' : 'usable';
  const launched = request.ClientToken ? await ec2.findByToken(request.ClientToken) : [];
  if (launched.length > 0) return launched.every(({ State }) => ENDED.has(State?.Name)) ? 'spent' : 'usable';
  const now = clock.now();
  const isGone = isOverdue(hiddenAt, VISIBLE_SECONDS, now) && !isOverdue(hiddenAt, TOKEN_SECONDS, now);
  return isGone ? 'spent' : 'hidden';
};

/**
 * Whether a request can no longer succeed: because it was refused, or because something that it names was deleted since,
 * such as a security group that the network has replaced.
 */
const isHopeless = ({ clock }: InstanceDependencies, { at }: DecidedLaunch, error: unknown): boolean =>
  isRefusal(error) ? awsCodeOf(error) !== MISMATCH : isNotFound(error) && isOverdue(at, VISIBLE_SECONDS, clock.now());

/**
 * Records an answer that names no instance. A request that can no longer succeed is removed from the record, unless EC2
 * may not show yet what an earlier attempt has launched.
 */
const settle = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  due: DueLaunch,
  error: unknown,
): Promise<void> => {
  const since = openBefore(due, error);
  const mayShowUp = since !== undefined && !isOverdue(since, VISIBLE_SECONDS, deps.clock.now());
  if (isHopeless(deps, due.launch, error) && !mayShowUp) await releaseLaunch(deps, objects, due.launch);
  else if (isRefused(error) && awsCodeOf(error) !== MISMATCH && madeNothing(error))
    await recordAnswer(deps, objects, due);
};

/** Before another instance is launched, EC2 gets time to show this one; the first answer counts. */
const hidden = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  launch: DecidedLaunch,
  error: unknown,
): Promise<TransientError> => {
  const now = deps.clock.now();
  if (launch.hiddenAt === undefined || isOverdue(launch.hiddenAt, TOKEN_SECONDS, now))
    await recordHidden(deps, objects, launch);
  const message = 'EC2 has launched the instance and does not show it; another one is launched if it is not shown';
  return new TransientError(message, { cause: error });
};

/** An error of a launch, with the field concerned, after its consequences were recorded. */
const explain = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  due: DueLaunch,
  error: unknown,
): Promise<unknown> => {
  const { launch } = due;
  const code = awsCodeOf(error) ?? '';
  const token = await tokenOf(deps, launch, code);
  if (token === 'hidden') return hidden(deps, objects, launch, error);
  if (token === 'spent') {
    await releaseLaunch(deps, objects, launch);
    const message = 'the instance was terminated before it was recorded; another one is launched';
    return new TransientError(message, { cause: error });
  }
  await settle(deps, objects, due, error);
  const field = error instanceof Error ? blamedField(code, error.message) : undefined;
  if (!field || !(translateAwsError(error) instanceof RefusedError)) return error;
  return new RefusedError(`${field}: ${describeAwsError(error)}`, { cause: error });
};

/**
 * Launches the chosen instance, or the next candidate if EC2 has no capacity. A different request is sent only after
 * the refusal of the previous one is recorded: then that request has created nothing.
 */
export const runSomewhere = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  first: DueLaunch,
  userData: string,
): Promise<Instance | undefined> => {
  let due = { ...first, infrastructure: objects.infrastructure };
  for (;;) {
    const now = { ...objects, infrastructure: due.infrastructure };
    try {
      return await runOnce(deps, now, due, userData);
    } catch (error) {
      if (!isCapacityUnavailable(error)) throw await explain(deps, now, due, error);
      due = await fallBack(deps, now, due, error);
    }
  }
};
