/** A machine of the control plane dies, and its MachineHealthCheck causes its replacement. */
import type { Account } from '../../../../infra/local/account.ts';
import { terminate } from '../../../../infra/local/engines/ec2/instances/state.ts';
import type { Machine } from '../../../../shared/kinds/index.ts';
import { isTrue } from '../../../../shared/plan/status/conditions.ts';
import { byAge, isControlPlane, isOfCluster } from '../machine-order.ts';
import type { User } from '../user.ts';
import { instanceOfFirst } from '../workers.ts';

/** With fewer machines, the loss of one costs etcd its quorum. */
const FEWEST = 3;

const LOOK_MILLISECONDS = 10_000;

/**
 * The oldest machine, if the control plane survives its loss: it must have enough machines, and all must be available.
 */
export const expendableMachine = async (user: User): Promise<Machine | undefined> => {
  const all = await user.list<Machine>('Machine');
  const machines = all.filter(isControlPlane).filter(isOfCluster);
  const isWhole = machines.every(
    ({ metadata, status }) => !metadata.deletionTimestamp && isTrue(status?.conditions, 'Available'),
  );
  if (machines.length < FEWEST || !isWhole) return undefined;
  return byAge(machines)[0];
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
  terminate(account.ec2(), instance);
  const isThere = async (): Promise<boolean> =>
    (await user.list('Machine')).some(({ metadata }) => metadata.uid === machine.metadata.uid);
  while (await isThere()) await wait(LOOK_MILLISECONDS);
};
