/** The MachineHealthChecks of the cluster. They cover every machine, as usual in production. */
import type { MachineHealthCheck } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { LABEL } from '../../../../shared/plan/labels.ts';
import { CLUSTER, type User } from '../user.ts';

/** A machine is replaced if the Ready condition of its node is Unknown for one minute, or False for five. */
export const CHECKS = {
  unhealthyNodeConditions: [
    { type: 'Ready', status: 'Unknown', timeoutSeconds: 60 },
    { type: 'Ready', status: 'False', timeoutSeconds: 300 },
  ],
};

const healthCheck = (name: string, operator: 'Exists' | 'DoesNotExist') => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineHealthCheck',
  metadata: { name },
  spec: {
    clusterName: CLUSTER,
    selector: { matchExpressions: [{ key: LABEL.controlPlane, operator }] },
    checks: CHECKS,
  },
});

/** One check for the machines of the control plane, and one for all others. */
export const healthChecks = (): KubeObject[] => [
  healthCheck('control-plane', 'Exists'),
  healthCheck('workers', 'DoesNotExist'),
];

/** The reason why the checks do not count all of the cluster's machines as healthy yet; undefined if they do. */
export const whatChecksLack = async (user: User, machines: number): Promise<string | undefined> => {
  const checks = await user.list<MachineHealthCheck>('MachineHealthCheck');
  const own = checks.filter(({ spec }) => spec.clusterName === CLUSTER);
  const healthy = own.reduce((sum, { status }) => sum + (status?.currentHealthy ?? 0), 0);
  return healthy === machines ? undefined : `${healthy} of ${machines} machines are healthy`;
};
