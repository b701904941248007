/** Load balancers of Services in the account, of both generations, and the resources that belong to them. */
import type { Account } from '../../../../infra/local/account.ts';
import type { SecurityGroupRule } from '../../../../infra/local/engines/ec2/records.ts';
import { SERVICE_ROLE } from '../../../../shared/providers/aws/services/service-tags.ts';
import { ROLE_TAG } from '../../../../shared/providers/aws/tags.ts';

export interface Balancer {
  name: string;
  isClassic: boolean;
  dnsName: string;
  /** The ports of its listeners. */
  ports: readonly number[];
  /** For each listener, the ids of the instances that are its targets. */
  targets: readonly (readonly string[])[];
}

export const isOfServices = ({ tags }: { tags: ReadonlyMap<string, string> }): boolean =>
  tags.get(ROLE_TAG) === SERVICE_ROLE;

const classicBalancers = (account: Account): Balancer[] =>
  [...account.elb().loadBalancers.values()].filter(isOfServices).map((one) => ({
    ...{ name: one.name, isClassic: true, dnsName: one.dnsName },
    ...{ ports: [...one.listeners.keys()], targets: [[...one.instances]] },
  }));

const networkBalancers = (account: Account): Balancer[] => {
  const elb = account.elbv2();
  return [...elb.loadBalancers].flatMap(([arn, one]) => {
    if (!isOfServices(one)) return [];
    const listeners = [...elb.listeners.values()].filter(({ loadBalancerArn }) => loadBalancerArn === arn);
    const targets = listeners.map(({ targetGroupArn }) =>
      [...(elb.targetGroups.get(targetGroupArn)?.targets.values() ?? [])]
        .filter(({ drainedAt }) => drainedAt === undefined)
        .map(({ instanceId }) => instanceId),
    );
    const ports = listeners.map(({ port }) => port);
    return [{ name: one.name, isClassic: false, dnsName: one.dnsName, ports, targets }];
  });
};

export const balancersIn = (account: Account): Balancer[] => [
  ...classicBalancers(account),
  ...networkBalancers(account),
];

const RULE = /^(?:kubernetes\.io\/rule\/nlb\/(?:client|health)|windlass\.dev\/load-balancer)=(.+)$/;
const SHARED_RULE = 'kubernetes.io/rule/nlb/mtu';

/** Whether a rule of the nodes' security group was created for load balancers of Services. */
export const isRuleOfServices = ({ description = '' }: Pick<SecurityGroupRule, 'description'>): boolean =>
  description === SHARED_RULE || RULE.test(description);

/** The names of the load balancers for which rules of the nodes' security group exist. */
export const ruledBalancers = (account: Account): Set<string> =>
  new Set(
    account
      .ec2()
      .securityGroupRules.all()
      .flatMap(({ description = '' }) => RULE.exec(description)?.[1] ?? []),
  );
