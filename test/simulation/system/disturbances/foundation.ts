/** Changes by users and others to the cluster's network and load balancer. */
import {
  DeleteNatGatewayCommand,
  DeleteRouteCommand,
  DeleteTagsCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2';
import type { Account } from '../../../../infra/local/account.ts';
import type { Route } from '../../../../infra/local/engines/ec2/records.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { BASTION_ROLE } from '../../../../shared/providers/aws/network/bastion/launch.ts';
import { ROLE_TAG } from '../../../../shared/providers/aws/tags.ts';
import { isOfServices, isRuleOfServices } from '../stories/balancers.ts';
import { CLUSTER, type User, unlessGone } from '../user.ts';
import { isOwned } from '../verdicts/judge.ts';
import type { Change } from './change.ts';

const DEFAULT_ROUTE = '0.0.0.0/0';
const ELB_ROLE = 'kubernetes.io/role/internal-elb';

const owned = <T extends { tags: ReadonlyMap<string, string> }>(all: readonly T[]): T[] => all.filter(isOwned);

const isOfNetwork = ({ target }: Route): boolean => target.kind !== 'instance';

/**
 * The numbers of the cluster's network resources and load balancers, which Windlass restores when others change them.
 * The security group of a bastion is left out, because it remains when the bastion is removed. Resources of Services
 * and pods are not counted either.
 */
export const foundationOf = (account: Account): string => {
  const ec2 = account.ec2();
  const groups = new Set(
    owned(ec2.securityGroups.all())
      .filter((group) => group.tags.get(ROLE_TAG) !== BASTION_ROLE && !isOfServices(group))
      .map(({ id }) => id),
  );
  const routes = owned(ec2.routeTables.all()).flatMap((table) => table.routes.filter(isOfNetwork)).length;
  const rules = ec2.securityGroupRules
    .all()
    .filter((rule) => groups.has(rule.groupId) && !isRuleOfServices(rule)).length;
  const gateways = owned(ec2.natGateways.all()).filter(({ timeline }) => timeline.at(-1)?.state === 'available').length;
  const subnets = owned(ec2.subnets.all()).filter(({ tags }) => tags.has(ELB_ROLE)).length;
  return `${routes} routes, ${rules} rules, ${gateways} NAT gateways, ${subnets} subnets for load balancers`;
};

interface Rule {
  sourceSecurityGroupIds?: string[];
}

type Infrastructure = KubeObject & {
  spec: { bastion?: { enabled?: boolean }; network?: { additionalControlPlaneIngressRules?: Rule[] } };
};

export const infrastructureOf = async (user: User): Promise<Infrastructure | undefined> =>
  (await user.list<Infrastructure>('AWSCluster')).find(({ metadata }) => metadata.name.startsWith(CLUSTER));

/** A group that does not exist: the network cannot become ready as long as a rule names it. */
const UNKNOWN = 'sg-00000000000000000';

/** Longer than machines wait for the network. */
const BROKEN_MILLISECONDS = 8 * 60_000;

const isBroken = ({ spec }: Infrastructure): boolean =>
  spec.network?.additionalControlPlaneIngressRules?.some((rule) => rule.sourceSecurityGroupIds?.includes(UNKNOWN)) ===
  true;

export const FOUNDATION: Readonly<Record<string, Change>> = {
  changeTags: async ({ user }, { one }) => {
    const found = await infrastructureOf(user);
    if (found === undefined) return undefined;
    const additionalTags = { owner: one(['a', 'b', null]) };
    await user.patch('AWSCluster', found.metadata.name, { spec: { additionalTags } });
    return `gives the cluster the tag ${additionalTags.owner}`;
  },
  toggleBastion: async ({ user }) => {
    const found = await infrastructureOf(user);
    if (found === undefined) return undefined;
    const enabled = found.spec.bastion?.enabled !== true;
    await user.patch('AWSCluster', found.metadata.name, { spec: { bastion: { enabled } } });
    return enabled ? 'wants a bastion' : 'wants no bastion';
  },
  breakNetwork: async (place) => {
    const { user, begin, wait } = place;
    const found = await infrastructureOf(user);
    if (found === undefined || isBroken(found)) return undefined;
    const rule = { description: 'unknown', protocol: 'tcp', fromPort: 9999, toPort: 9999 };
    // Clusters of RKE2 need rules of their own, which a patch of the list must contain.
    const own = found.spec.network?.additionalControlPlaneIngressRules ?? [];
    const setRules = (rules: readonly Rule[]) =>
      user.patch('AWSCluster', found.metadata.name, {
        spec: { network: { additionalControlPlaneIngressRules: rules } },
      });
    await setRules([...own, { ...rule, sourceSecurityGroupIds: [UNKNOWN] }]);
    begin(async () => {
      await wait(BROKEN_MILLISECONDS);
      await setRules(own).catch(unlessGone);
    });
    return 'wants a rule with an unknown group for eight minutes';
  },
  deleteRoute: async ({ ec2, world }, { one }) => {
    const tables = owned(world.account.ec2().routeTables.all());
    const table = one(tables.filter(({ routes }) => routes.length > 1));
    if (table === undefined) return undefined;
    await ec2.send(new DeleteRouteCommand({ RouteTableId: table.id, DestinationCidrBlock: DEFAULT_ROUTE }));
    return `the default route of ${table.id} is deleted`;
  },
  revokeRule: async ({ ec2, world }, { one }) => {
    const account = world.account.ec2();
    const groups = new Set(owned(account.securityGroups.all()).map(({ id }) => id));
    const rule = one(account.securityGroupRules.all().filter((each) => groups.has(each.groupId) && !each.isEgress));
    if (rule === undefined) return undefined;
    const { id, groupId: GroupId } = rule;
    await ec2.send(new RevokeSecurityGroupIngressCommand({ GroupId, SecurityGroupRuleIds: [id] }));
    return `the rule ${id} is revoked`;
  },
  deleteGateway: async ({ ec2, world }, { one }) => {
    const gateways = owned(world.account.ec2().natGateways.all());
    const gateway = one(gateways.filter(({ timeline }) => timeline.at(-1)?.state === 'available'));
    if (gateway === undefined) return undefined;
    await ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: gateway.id }));
    return `the NAT gateway ${gateway.id} is deleted`;
  },
  removeTag: async ({ ec2, world }, { one }) => {
    const subnet = one(owned(world.account.ec2().subnets.all()).filter(({ tags }) => tags.has(ELB_ROLE)));
    if (subnet === undefined) return undefined;
    await ec2.send(new DeleteTagsCommand({ Resources: [subnet.id], Tags: [{ Key: ELB_ROLE }] }));
    return `the subnet ${subnet.id} loses a tag`;
  },
};
