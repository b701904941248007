import type { AWSMachine } from '../../../../kinds/index.ts';
import type { InfrastructureMachine } from '../../../../kinds/infrastructure.ts';
import type { StateFinding } from '../../../../plan/drift/finding.ts';
import { withInstance } from '../launch/instance.ts';
import type { Finding } from './states.ts';

/** Reasons of the AWSMachine's InstanceReady condition, for the events. */
const REASONS: Readonly<Record<string, string>> = {
  running: 'InstanceRunning',
  stopped: 'InstanceStopped',
  stopping: 'InstanceStopped',
};

const sentence = ({ instanceId, state, isAbsent }: Finding): string =>
  isAbsent
    ? `Instance ${instanceId} does not exist any more; it was not terminated by Windlass`
    : `Instance ${instanceId} is ${state}; this was not done by Windlass`;

/**
 * The recorded state, and since when it lasts. The time distinguishes a machine whose instance was stopped and started
 * again in the meantime from an unchanged one.
 */
const recordOf = ({ status }: AWSMachine): string => {
  const ready = status?.conditions?.find(({ type }) => type === 'InstanceReady');
  return `${status?.instanceState} since ${ready?.lastTransitionTime}`;
};

/**
 * The AWSMachine with the instance's state, unless it has got another instance or is known to be gone in the meantime.
 * If the record is not the one from before the read, a later read may have written it.
 */
const withState = (
  current: AWSMachine,
  { instanceId, state, infrastructure }: Finding,
  now: Date,
): AWSMachine | undefined => {
  if (current.spec.instanceID !== instanceId || current.status?.instanceState === 'terminated') return undefined;
  if (recordOf(current) !== recordOf(infrastructure)) return undefined;
  return withInstance(current, { InstanceId: instanceId, State: { Name: state as 'terminated' } }, now);
};

/** A finding about an instance, in the core's form. */
export const stateFinding = (finding: Finding): StateFinding => {
  const { machine, infrastructure, cluster, isLost, state } = finding;
  // The core only passes objects of this provider's kind.
  const own = (current: InfrastructureMachine) => current as AWSMachine;
  return {
    ...{ machine, infrastructure, cluster, isLost },
    event: {
      type: state === 'running' ? 'Normal' : 'Warning',
      reason: REASONS[state] ?? 'InstanceTerminated',
      message: sentence(finding),
    },
    apply: (current, now) => withState(own(current), finding, now),
    isRecorded: (current) => own(current).status?.instanceState === state,
  };
};
