/** Stops, starts and terminates instances. */
import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import type { Instance, InstanceLife } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { turn } from '../timeline.ts';
import { interfacesOf } from './interfaces.ts';
import { announceLife } from './life-events.ts';
import { lifeOf, stateView } from './view.ts';
import { detach, volumesOf } from './volumes.ts';

const BY_USER = {
  code: 'Client.UserInitiatedShutdown',
  message: 'Client.UserInitiatedShutdown: User initiated shutdown',
};

interface Move {
  first: InstanceLife;
  last: InstanceLife;
  milliseconds: number;
  /** The time when it begins; now if omitted. */
  at?: number;
}

const move = (ec2: Ec2, instance: Instance, { first, last, milliseconds, at = ec2.now() }: Move): number => {
  const settled = at + milliseconds;
  instance.timeline = turn(instance.timeline, ec2.now(), [
    { at, state: first },
    { at: settled, state: last },
  ]);
  announceLife(ec2, instance, at);
  return settled;
};

/**
 * Terminates an instance, possibly at a later time. Its interfaces and volumes disappear with it, except for volumes
 * that outlive it. An instance that is already terminated stays so.
 */
export const terminate = (ec2: Ec2, instance: Instance, reason: Instance['reason'] = BY_USER, at?: number): void => {
  if (['shutting-down', 'terminated'].includes(lifeOf(ec2, instance))) return;
  const milliseconds = ec2.settings.instanceStopMilliseconds;
  const gone = move(ec2, instance, { first: 'shutting-down', last: 'terminated', milliseconds, at });
  instance.reason = reason;
  for (const row of interfacesOf(ec2, instance)) row.releasedAt = gone;
  for (const volume of volumesOf(ec2, instance.id)) {
    if (volume.deleteOnTermination) volume.releasedAt = gone;
    else detach(ec2, volume);
  }
};

/** Stops an instance. An instance that is stopped or stopping stays so. */
export const stop = (ec2: Ec2, instance: Instance): void => {
  if (['stopping', 'stopped'].includes(lifeOf(ec2, instance))) return;
  const milliseconds = ec2.settings.instanceStopMilliseconds;
  move(ec2, instance, { first: 'stopping', last: 'stopped', milliseconds });
  instance.reason = BY_USER;
};

/** Starts a stopped instance. */
export const start = (ec2: Ec2, instance: Instance): void => {
  if (lifeOf(ec2, instance) !== 'stopped') return;
  const milliseconds = ec2.settings.instanceStartMilliseconds;
  move(ec2, instance, { first: 'pending', last: 'running', milliseconds });
  instance.reason = undefined;
};

const checkState = (ec2: Ec2, instance: Instance, allowed: readonly InstanceLife[], verb: string): void => {
  const life = lifeOf(ec2, instance);
  if (!allowed.includes(life))
    throw new AwsFault(
      'IncorrectInstanceState',
      `The instance '${instance.id}' is not in a state from which it can be ${verb}.`,
    );
};

const changed = (ec2: Ec2, ids: readonly string[] | undefined, change: (instance: Instance) => void) => {
  if (!ids?.length) throw new AwsFault('MissingParameter', 'The request must contain the parameter InstanceIds');
  const instances = ec2.instances.seen(ids);
  const before = instances.map((instance) => lifeOf(ec2, instance));
  for (const instance of instances) change(instance);
  return instances.map(
    (instance, index): sdk.InstanceStateChange => ({
      InstanceId: instance.id,
      PreviousState: stateView(before[index] ?? 'pending'),
      CurrentState: stateView(lifeOf(ec2, instance)),
    }),
  );
};

const checkProtection = (ec2: Ec2, ids: readonly string[] | undefined): void => {
  const kept = ec2.instances
    .seen(ids)
    .find(({ id, terminationProtected }) => ids?.includes(id) && terminationProtected);
  if (kept)
    throw new AwsFault(
      'OperationNotPermitted',
      `The instance '${kept.id}' may not be terminated. Modify its 'disableApiTermination' instance attribute and try again.`,
    );
};

export const instanceStateActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  TerminateInstances: ({ InstanceIds }) => {
    checkProtection(ec2, InstanceIds);
    return { TerminatingInstances: changed(ec2, InstanceIds, (instance) => terminate(ec2, instance)) };
  },
  StopInstances: ({ InstanceIds }) => {
    for (const instance of ec2.instances.seen(InstanceIds))
      if (InstanceIds?.includes(instance.id))
        checkState(ec2, instance, ['pending', 'running', 'stopping', 'stopped'], 'stopped');
    return { StoppingInstances: changed(ec2, InstanceIds, (instance) => stop(ec2, instance)) };
  },
  StartInstances: ({ InstanceIds }) => {
    for (const instance of ec2.instances.seen(InstanceIds))
      if (InstanceIds?.includes(instance.id)) checkState(ec2, instance, ['stopped', 'pending', 'running'], 'started');
    return { StartingInstances: changed(ec2, InstanceIds, (instance) => start(ec2, instance)) };
  },
  RebootInstances: ({ InstanceIds }) => {
    changed(ec2, InstanceIds, (instance) => checkState(ec2, instance, ['running'], 'rebooted'));
    return {};
  },
});
