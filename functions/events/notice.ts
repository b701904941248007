import { distributionOf } from '../../shared/distributions/registry.ts';
import { recordEvent } from '../../shared/events/record.ts';
import { kinds, type Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { type Notice, readNotice, withNotice, withoutNotice } from '../../shared/plan/instance-events/notice.ts';
import { atRiskClaim, noticeWithdrawn } from '../../shared/plan/instance-events/response.ts';
import type { Withdrawal } from '../../shared/plan/instance-events/withdrawn.ts';
import { withClaim } from '../../shared/plan/status/claimed.ts';
import type { ConditionClaim } from '../../shared/plan/status/conditions.ts';
import { COMPONENT, type EventDependencies } from './dependencies.ts';

type NoticeDependencies = Pick<EventDependencies, 'objects' | 'clock'>;

/**
 * The owner that replaces a machine: the MachineSet or the control plane that controls it. A MachinePool does so only
 * if the cloud reclaims the instance; in all other cases, its group has its own rules.
 */
const ownerOf = async (
  objects: ObjectClient,
  { metadata }: Machine,
  { reason }: Notice,
): Promise<KubeObject | undefined> => {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return undefined;
  const [apiGroup = ''] = owner.apiVersion.split('/');
  const distribution = distributionOf('controlPlane', { apiGroup, kind: owner.kind });
  const replacing = reason === 'SpotInterruption' ? [kinds.machineSet, kinds.machinePool] : [kinds.machineSet];
  const kind = replacing.find((one) => one.kind === owner.kind) ?? distribution?.controlPlane;
  const found =
    kind && (await objects.get<KubeObject>(kind, { namespace: metadata.namespace ?? '', name: owner.name }));
  return found?.metadata.uid === owner.uid ? found : undefined;
};

/** Writes a change of a machine's notice; returns the condition that results, if any. */
const write = async (
  { objects, clock }: NoticeDependencies,
  machine: Machine,
  change: (current: Machine) => { machine: Machine; claim: ConditionClaim | undefined } | undefined,
): Promise<ConditionClaim | undefined> => {
  const { namespace = '', name, uid } = machine.metadata;
  let written: ConditionClaim | undefined;
  await objects.mutate(kinds.machine, { namespace, name }, (current) => {
    const next = current.metadata.uid === uid ? change(current) : undefined;
    written = next?.claim;
    return next?.claim ? withClaim(next.machine, next.claim, clock.now()) : next?.machine;
  });
  return written;
};

/**
 * Records on a machine what its cloud has announced for the instance: an annotation on which the planners act, and a
 * condition and an event that say what will be done. A notice that is already recorded, or less urgent than the
 * recorded one, changes nothing. True if the notice was new.
 */
export const giveNotice = async (deps: NoticeDependencies, machine: Machine, notice: Notice): Promise<boolean> => {
  const { objects, clock } = deps;
  const noticed = withNotice(machine, notice);
  if (!noticed) return false;
  const owner = await ownerOf(objects, machine, readNotice(noticed) ?? notice);
  const announced = atRiskClaim(noticed, owner);
  if (!announced) return false;
  // Before the annotation, which marks the notice as recorded: after a crash in between, the event is recorded again.
  const { reason, message = '' } = announced;
  await recordEvent(objects, { regarding: machine, type: 'Warning', reason, message, component: COMPONENT }, clock);
  const claim = await write(deps, machine, (current) => {
    const next = withNotice(current, notice);
    return next && { machine: next, claim: atRiskClaim(next, owner) };
  });
  return claim !== undefined;
};

/**
 * Withdraws a notice, even one that has not arrived yet. Actions that have already started because of it continue. True
 * if it was the recorded notice.
 */
export const withdrawNotice = async (
  deps: NoticeDependencies,
  machine: Machine,
  withdrawal: Withdrawal,
): Promise<boolean> => {
  const claim = await write(deps, machine, (current) => {
    const next = withoutNotice(current, withdrawal);
    return next && { machine: next.machine, claim: next.isLifted ? noticeWithdrawn : undefined };
  });
  return claim !== undefined;
};
