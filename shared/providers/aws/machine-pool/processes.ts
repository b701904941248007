import type { AWSMachinePoolSpec } from '../../../kinds/aws-machine-pool/schema.ts';

/** The processes of a group, by their fields in `spec.suspendProcesses.processes`. */
const PROCESSES = {
  launch: 'Launch',
  terminate: 'Terminate',
  addToLoadBalancer: 'AddToLoadBalancer',
  alarmNotification: 'AlarmNotification',
  azRebalance: 'AZRebalance',
  healthCheck: 'HealthCheck',
  instanceRefresh: 'InstanceRefresh',
  replaceUnhealthy: 'ReplaceUnhealthy',
  scheduledActions: 'ScheduledActions',
} as const;

/**
 * The names of the processes that a pool suspends, sorted. As in CAPA, with `all` those that are set to `false` are not
 * suspended.
 */
export const suspendedProcesses = ({
  suspendProcesses = {},
}: Pick<AWSMachinePoolSpec, 'suspendProcesses'>): string[] => {
  const { all = false, processes = {} } = suspendProcesses;
  return Object.entries(PROCESSES)
    .filter(([field]) => processes[field as keyof typeof PROCESSES] ?? all)
    .map(([, name]) => name)
    .sort();
};
