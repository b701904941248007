/** How the resources of the account are connected, which the number of resources does not show. */
import type { Account } from '../../../../infra/local/account.ts';
import { liveInstances } from './judge.ts';

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0);

/** The numbers of connections and settings in the account by kind; equal for two accounts in the same state. */
export const wiringOf = (account: Account): string => {
  const [ec2, elb] = [account.ec2(), account.elbv2()];
  const classic = [...account.elb().loadBalancers.values()];
  const tables = ec2.routeTables.all();
  // A terminated instance gets no connections. It stays registered if its machine was lost with a restored table.
  const live = new Set(liveInstances(account).map(({ id }) => id));
  const registered = [...elb.targetGroups.values()].map(
    ({ targets }) =>
      [...targets.values()].filter(({ drainedAt, instanceId }) => drainedAt === undefined && live.has(instanceId))
        .length,
  );
  const members = classic.map(({ instances }) => [...instances.keys()].filter((id) => live.has(id)).length);
  const groups = [...account.autoscaling().groups.values()];
  const connections: [string, number][] = [
    ['rules', ec2.securityGroupRules.all().length],
    ['routes', sum(tables.map(({ routes }) => routes.length))],
    ['route table associations', sum(tables.map(({ associations }) => associations.length))],
    ['attached gateways', ec2.internetGateways.all().filter(({ vpcId }) => vpcId !== undefined).length],
    ['NAT gateways', ec2.natGateways.all().filter(({ timeline }) => timeline.at(-1)?.state === 'available').length],
    ['tags of subnets', sum(ec2.subnets.all().map(({ tags }) => tags.size))],
    ['listeners', elb.listeners.size + sum(classic.map(({ listeners }) => listeners.size))],
    ['registered targets', sum(registered) + sum(members)],
    ['lifecycle hooks', sum(groups.map(({ hooks }) => hooks.size))],
    ['members of groups', sum(groups.map(({ members: all }) => all.size))],
  ];
  return connections.map(([name, number]) => `${name} ${number}`).join(', ');
};
