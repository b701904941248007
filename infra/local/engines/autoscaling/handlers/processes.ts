import type * as sdk from '@aws-sdk/client-auto-scaling';
import type { Handlers } from '../../wire/handlers.ts';
import { causeTime } from '../activities.ts';
import { TERMINATION_POLICIES } from '../choose.ts';
import { type AutoScaling, getGroup, validationError } from '../state.ts';

const PROCESSES: readonly string[] = [
  'AZRebalance',
  'AddToLoadBalancer',
  'AlarmNotification',
  'HealthCheck',
  'InstanceRefresh',
  'Launch',
  'ReplaceUnhealthy',
  'ScheduledActions',
  'Terminate',
];

/** The processes in a call; all if it names none. Throws a ValidationError for an unknown process. */
const processesOf = (names: readonly string[] | undefined): readonly string[] => {
  const unknown = names?.find((name) => !PROCESSES.includes(name));
  if (unknown !== undefined)
    throw validationError(`${unknown} is not a valid scaling process. Valid processes are: ${PROCESSES.join(', ')}`);
  return names?.length ? names : PROCESSES;
};

/** The processes of groups, and their suspension. */
export const processActions = (as: AutoScaling): Handlers<typeof sdk> => ({
  SuspendProcesses: ({ AutoScalingGroupName, ScalingProcesses }) => {
    const { suspended } = getGroup(as, AutoScalingGroupName);
    for (const name of processesOf(ScalingProcesses)) suspended.set(name, `User suspended at ${causeTime(as.now())}`);
    return {};
  },
  ResumeProcesses: ({ AutoScalingGroupName, ScalingProcesses }) => {
    const { suspended } = getGroup(as, AutoScalingGroupName);
    for (const name of processesOf(ScalingProcesses)) suspended.delete(name);
    return {};
  },
  DescribeScalingProcessTypes: () => ({ Processes: PROCESSES.map((ProcessName) => ({ ProcessName })) }),
  DescribeTerminationPolicyTypes: () => ({ TerminationPolicyTypes: [...TERMINATION_POLICIES].toSorted() }),
});
