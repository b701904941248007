/** The workers of the cluster that are replaced if they fail, and their instances. */
import type { Account } from '../../../infra/local/account.ts';
import { MAINTENANCE_TAG, obeyMaintenanceTag } from '../../../infra/local/engines/ec2/instances/maintenance.ts';
import type { Instance } from '../../../infra/local/engines/ec2/records.ts';
import { announcementOf } from '../../../infra/local/engines/events/bus.ts';
import type { Cluster, Machine, MachineDeployment } from '../../../shared/kinds/index.ts';
import { MACHINE_UID_TAG } from '../../../shared/providers/aws/plan/launch/request.ts';
import { byAge, isControlPlane } from './machine-order.ts';
import { scaleGroup } from './stories/topology.ts';
import { CLUSTER, DEPLOYMENT, named, type User } from './user.ts';
import { liveInstances } from './verdicts/judge.ts';

/** The newest machine comes first, because the current step concerns it. */
export const replacedWorkers = async (user: User): Promise<Machine[]> => {
  const workers = (await user.list<Machine>('Machine'))
    .filter((machine) => !isControlPlane(machine))
    .filter(({ metadata }) => metadata.ownerReferences?.some(({ controller }) => controller));
  return byAge(workers).toReversed();
};

/** The replicas of the MachineDeployment; undefined if there is none. */
export const numberOfWorkers = async (user: User): Promise<number | undefined> =>
  (await named<MachineDeployment>(user, 'MachineDeployment', DEPLOYMENT))?.spec.replicas;

/** If a topology manages the MachineDeployment, its number is changed in the topology. */
export const scaleWorkers = async (user: User, replicas: number): Promise<void> => {
  const cluster = await named<Cluster>(user, 'Cluster', CLUSTER);
  if (cluster?.spec.topology) await scaleGroup(user, cluster, replicas);
  else await user.patch('MachineDeployment', DEPLOYMENT, { spec: { replicas } });
};

const isInstanceOf = ({ metadata, spec }: Machine, { id, tags }: Instance): boolean =>
  tags.get(MACHINE_UID_TAG) === metadata.uid || spec.providerID?.split('/').at(-1) === id;

/** The live instance of the first of these machines that has one. */
export const instanceOfFirst = (machines: readonly Machine[], account: Account): Instance | undefined => {
  const live = liveInstances(account);
  return machines.flatMap((machine) => live.filter((instance) => isInstanceOf(machine, instance)))[0];
};

/** EC2 announces that it will interrupt a Spot Instance in two minutes. */
export const warn = (account: Account, { id }: Instance): void => {
  const { bus, place } = account.ec2();
  bus.put(
    announcementOf(place, {
      source: 'aws.ec2',
      detailType: 'EC2 Spot Instance Interruption Warning',
      instanceIds: [id],
      detail: { 'instance-id': id, 'instance-action': 'terminate' },
    }),
  );
};

/** AWS Health announces that EC2 will retire an instance in two weeks. */
export const announceRetirement = (account: Account, instance: Instance): void => {
  instance.tags.set(MAINTENANCE_TAG, 'instance-retirement');
  obeyMaintenanceTag(account.ec2(), instance);
};
