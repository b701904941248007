/** The table is restored to an earlier state in the middle of a lifecycle, and an operator follows docs/runbooks.md. */
import { terminate } from '../../../../infra/local/engines/ec2/instances/state.ts';
import { lifeOf } from '../../../../infra/local/engines/ec2/instances/view.ts';
import type { Instance } from '../../../../infra/local/engines/ec2/records.ts';
import { allSecrets } from '../../../../infra/local/engines/secrets-manager/state.ts';
import type { AWSMachine, Machine } from '../../../../shared/kinds/index.ts';
import { ON_DRIFT } from '../../../../shared/kinds/rules/drift-policy.ts';
import { MACHINE_UID_TAG } from '../../../../shared/providers/aws/plan/launch/request.ts';
import { isControlPlane } from '../machine-order.ts';
import type { Item, Table } from '../table.ts';
import { CLUSTER, type User } from '../user.ts';
import { isOfGroup, liveInstances } from '../verdicts/judge.ts';
import type { World } from '../world.ts';

/** The period whose changes are lost. */
const LOST_MILLISECONDS = 60_000;
/** Requests to the former table are answered within this time. */
const QUIET_MILLISECONDS = 5_000;
const LOOK_MILLISECONDS = 10_000;

export interface RestorationOptions {
  world: World;
  user: User;
  table: Table;
  wait(milliseconds: number): Promise<void>;
  /** While this is true, functions cannot use the table. */
  hold(isHeld: boolean): void;
  /** Whether the cluster exists and the user has not deleted it. */
  hasCluster(): Promise<boolean>;
  /** Called when the table has an earlier state. */
  onRestored(): void;
}

type Facts = Pick<RestorationOptions, 'world' | 'user'>;

/** Live instances without a Machine. Instances of groups are excluded, because they get one. */
const unknownInstances = async ({ world, user }: Facts): Promise<Instance[]> => {
  const uids = new Set((await user.list<Machine>('Machine')).map(({ metadata }) => metadata.uid));
  const live = liveInstances(world.account).filter((one) => !isOfGroup(one));
  return live.filter(({ tags }) => !uids.has(tags.get(MACHINE_UID_TAG)));
};

/** Machines whose instance was terminated in the lost period. */
const machinesWithoutInstance = async ({ world, user }: Facts): Promise<string[]> => {
  const ec2 = world.account.ec2();
  const live = new Set(liveInstances(world.account).map(({ id }) => id));
  const known = new Set(ec2.instances.all().map((instance) => (lifeOf(ec2, instance) ? instance.id : '')));
  return (await user.list<Machine>('Machine')).flatMap(({ metadata, spec }) => {
    const id = spec.providerID?.split('/').at(-1);
    return id !== undefined && known.has(id) && !live.has(id) && !metadata.deletionTimestamp ? [metadata.name] : [];
  });
};

/** The machines of the control plane, with the fields that change with the members of etcd. */
const membersOf = (machines: readonly Machine[]): string =>
  machines
    .map(({ metadata, status, spec }) => [
      metadata.uid,
      spec.providerID,
      status?.nodeRef?.name,
      metadata.deletionTimestamp,
    ])
    .sort()
    .join();

const readControlPlane = async ({ user }: Facts): Promise<Machine[]> =>
  (await user.list<Machine>('Machine')).filter(isControlPlane);

const carryOut = async (options: RestorationOptions, items: readonly Item[]): Promise<void> => {
  const { table, wait, hold, onRestored } = options;
  hold(true);
  await wait(QUIET_MILLISECONDS);
  await table.restore(items);
  await table.prepare();
  onRestored();
  hold(false);
};

/** Terminates the machines of a control plane that was created in the lost period; etcd has no other members. */
const terminateUnknown = async ({ world, user }: Facts): Promise<void> => {
  for (const instance of await unknownInstances({ world, user })) terminate(world.account.ec2(), instance);
};

/**
 * Deletes bootstrap data that was stored in the lost period and never fetched, so that no AWSMachine names it. The
 * secrets are listed first, because a machine names its secrets before it creates them.
 */
const deleteUnknownSecrets = async ({ world, user }: Facts): Promise<void> => {
  const secrets = world.account.secrets();
  const listed = allSecrets(secrets).filter(({ tags }) => tags.has(MACHINE_UID_TAG));
  const prefixes = (await user.list<AWSMachine>('AWSMachine')).flatMap(
    ({ spec }) => spec.cloudInit?.secretPrefix ?? [],
  );
  for (const { name } of listed) if (!prefixes.some((prefix) => name.startsWith(prefix))) secrets.byName.delete(name);
};

/**
 * Restores the current state after a minute, and prepares it like `windlass restore`, which pauses all clusters. The
 * operator then resumes the cluster, deletes Machines whose instances no longer exist, lets the sweep terminate
 * instances without a Machine, and deletes bootstrap data that no AWSMachine names. Nothing is restored if the members
 * of etcd have changed in that minute, because they would have to be corrected manually; then resolves to false.
 */
export const restoreTable = async (options: RestorationOptions): Promise<boolean> => {
  const { user, table, wait, hasCluster } = options;
  await user.patch('Cluster', CLUSTER, { metadata: { annotations: { [ON_DRIFT]: 'UnknownInstance=Repair' } } });
  const before = await readControlPlane(options);
  const items = await table.read();
  await wait(LOST_MILLISECONDS);
  if (!(await hasCluster())) return false;
  if (before.length > 0 && membersOf(before) !== membersOf(await readControlPlane(options))) return false;

  await carryOut(options, items);
  if (before.length === 0) await terminateUnknown(options);
  await user.patch('Cluster', CLUSTER, { spec: { paused: false } });
  for (const name of await machinesWithoutInstance(options)) await user.remove('Machine', name);
  while ((await hasCluster()) && (await unknownInstances(options)).length > 0) await wait(LOOK_MILLISECONDS);
  await deleteUnknownSecrets(options);
  if (await hasCluster()) await user.patch('Cluster', CLUSTER, { metadata: { annotations: { [ON_DRIFT]: null } } });
  return true;
};
