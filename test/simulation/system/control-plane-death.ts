/** A machine of the control plane dies, and a MachineHealthCheck of the user has it replaced. */
import type { Account } from '../../../infra/local/account.ts';
import { terminate } from '../../../infra/local/engines/ec2/instance-state.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import { isTrue } from '../../../shared/plan/status/conditions.ts';
import { CLUSTER, CONTROL_PLANE, type User } from './user.ts';
import { instanceOfFirst } from './workers.ts';

const CONTROL_PLANE_LABEL = 'cluster.x-k8s.io/control-plane';
/** With fewer machines, etcd has no quorum without one of them. */
const FEWEST = 3;

const LOOK_MILLISECONDS = 10_000;

const HEALTH_CHECK = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineHealthCheck',
  metadata: { name: CONTROL_PLANE },
  spec: {
    clusterName: CLUSTER,
    selector: { matchLabels: { [CONTROL_PLANE_LABEL]: '' } },
    checks: {
      unhealthyNodeConditions: [
        { type: 'Ready', status: 'Unknown', timeoutSeconds: 60 },
        { type: 'Ready', status: 'False', timeoutSeconds: 300 },
      ],
    },
  },
};

const age = ({ metadata }: Machine): string => metadata.creationTimestamp ?? '';

/** The oldest machine, if the control plane survives its loss: it has enough machines, and all of them are available. */
export const expendableMachine = async (user: User): Promise<Machine | undefined> => {
  const all = await user.list<Machine>('Machine');
  const machines = all.filter(({ metadata }) => CONTROL_PLANE_LABEL in (metadata.labels ?? {}));
  const isWhole = machines.every(
    ({ metadata, status }) => !metadata.deletionTimestamp && isTrue(status?.conditions, 'Available'),
  );
  if (machines.length < FEWEST || !isWhole) return undefined;
  return machines.toSorted((a, b) => age(a).localeCompare(age(b)))[0];
};

export interface DeathOptions {
  account: Account;
  user: User;
  wait(milliseconds: number): Promise<void>;
}

/** Terminates the instance of a machine. Resolves when the machine has been removed. */
export const killMachine = async (machine: Machine, { account, user, wait }: DeathOptions): Promise<void> => {
  const instance = instanceOfFirst([machine], account);
  if (instance === undefined) return;
  await user.create(HEALTH_CHECK);
  terminate(account.ec2(), instance);
  const isThere = async (): Promise<boolean> =>
    (await user.list('Machine')).some(({ metadata }) => metadata.uid === machine.metadata.uid);
  while (await isThere()) await wait(LOOK_MILLISECONDS);
};
