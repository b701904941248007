import type { IngressPermission } from '../network/security-groups/model.ts';
import type { DesiredService } from './model.ts';

/**
 * The rules in a node security group with which load balancers reach node ports (updateInstanceSecurityGroupsForNLB,
 * updateInstanceSecurityGroupsForLoadBalancer).
 */

const CLIENT = 'kubernetes.io/rule/nlb/client';
const HEALTH = 'kubernetes.io/rule/nlb/health';
/** Windlass's own description. Upstream's rule has none, so nothing shows who has created it. */
const CLASSIC = 'windlass.dev/load-balancer';
const MTU = 'kubernetes.io/rule/nlb/mtu';

/** ICMP "destination unreachable, fragmentation needed": type 3, code 4. */
const FRAGMENTATION_NEEDED = { protocol: 'icmp', fromPort: 3, toPort: 4 } as const;

/** The input for the rules of one network load balancer. */
interface Opening {
  readonly desired: Pick<DesiredService, 'name' | 'listeners' | 'sourceRanges'>;
  /** Blocks of the load balancer's subnets, from which its health checks come. */
  readonly subnetBlocks: readonly string[];
}

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];

const permissions = (
  protocol: string,
  ports: readonly number[],
  blocks: readonly string[],
  description: string,
): IngressPermission[] =>
  ports.flatMap((port) => blocks.map((source) => ({ protocol, fromPort: port, toPort: port, source, description })));

const isSameSet = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((item) => b.includes(item));

/**
 * Clients reach the node ports with their own addresses. Health checks need no rule if everyone may connect to their
 * port.
 */
export const networkRules = ({
  desired: { name, listeners, sourceRanges },
  subnetBlocks,
}: Opening): IngressPermission[] => {
  const ports = unique(listeners.map(({ group }) => group.port));
  const checked = unique(
    listeners.map(({ group }) => (group.check.port === 'traffic-port' ? group.port : Number(group.check.port))),
  );
  const protocol = listeners.some(({ group }) => group.protocol === 'UDP') ? 'udp' : 'tcp';
  const isOpen = sourceRanges.length === 1 && sourceRanges[0] === '0.0.0.0/0' && protocol === 'tcp';
  return [
    ...permissions(protocol, ports, sourceRanges, `${CLIENT}=${name}`),
    ...(isOpen && isSameSet(ports, checked)
      ? []
      : permissions('tcp', checked, unique(subnetBlocks), `${HEALTH}=${name}`)),
  ];
};

/** A classic load balancer connects from its own addresses, which are those of its security group. */
export const classicRules = (name: string, groupId: string): IngressPermission[] => [
  { protocol: '-1', source: groupId, description: `${CLASSIC}=${name}` },
];

/** A rule for all protocols has no ports; some programs show them as -1. */
const isSame = (a: IngressPermission, b: IngressPermission): boolean =>
  a.protocol === b.protocol &&
  a.source === b.source &&
  (a.protocol === '-1' || (a.fromPort === b.fromPort && a.toPort === b.toPort));

const nameIn = ({ description = '' }: IngressPermission): string | undefined =>
  [CLIENT, HEALTH, CLASSIC].flatMap((mark) =>
    description.startsWith(`${mark}=`) ? [description.slice(mark.length + 1)] : [],
  )[0];

/** EC2 keeps one rule for a protocol, port and source. A second one with another description would be refused. */
const withoutTwins = (rules: readonly IngressPermission[]): IngressPermission[] =>
  rules.filter((rule, index) => rules.findIndex((other) => isSame(rule, other)) === index);

/** The rules that one load balancer needs in a group. */
export interface RuleNeed {
  /** The name of the load balancer. */
  readonly name: string;
  readonly rules: readonly IngressPermission[];
}

/** One rule for each source of clients, which load balancers share. */
const mtuRules = (rules: readonly IngressPermission[]): IngressPermission[] => {
  const clients = rules.filter(({ description }) => description?.startsWith(CLIENT));
  return unique(clients.map(({ source }) => source)).map((source) => ({
    ...FRAGMENTATION_NEEDED,
    source,
    description: MTU,
  }));
};

/** The rules that a load balancer lacks in a group with the rules `present`; it may share some of these with others. */
export const lackingRules = (
  present: readonly IngressPermission[],
  { rules }: Pick<RuleNeed, 'rules'>,
): IngressPermission[] =>
  withoutTwins([...rules, ...mtuRules(rules)]).filter((rule) => !present.some((one) => isSame(one, rule)));

export interface SurplusRules {
  /** The rules to be removed. */
  readonly revoked: readonly IngressPermission[];
  /** The rules that are then written again for another load balancer, which still needs them. */
  readonly inherited: readonly RuleNeed[];
}

/**
 * The rules that a group does not need. `needs`: the needs of all load balancers whose nodes are in the group.
 * `settled`: the names of load balancers whose rules are known, so that their other rules are revoked. Rules of any
 * other load balancer, and rules without these descriptions, are kept.
 */
export const surplusRules = (
  ingress: readonly IngressPermission[],
  needs: readonly RuleNeed[],
  settled: ReadonlySet<string>,
): SurplusRules => {
  const wanted = needs.flatMap(({ rules }) => rules);
  const isKept = (rule: IngressPermission) =>
    !settled.has(nameIn(rule) ?? '') || wanted.some((one) => isSame(one, rule));
  const kept = ingress.filter((rule) => nameIn(rule) !== undefined && isKept(rule));
  const mtu = mtuRules([...kept, ...wanted]);
  const stale = ingress.filter((rule) =>
    rule.description === MTU ? !mtu.some((one) => isSame(one, rule)) : nameIn(rule) !== undefined && !isKept(rule),
  );
  const left = kept.filter(
    (rule) =>
      settled.has(nameIn(rule) ?? '') &&
      !wanted.some((one) => isSame(one, rule) && one.description === rule.description),
  );
  const renamed = withoutTwins(wanted).filter((rule) => left.some((one) => isSame(one, rule)));
  const byName = Map.groupBy(renamed, (rule) => nameIn(rule) ?? '');
  return { revoked: [...stale, ...left], inherited: [...byName].map(([name, rules]) => ({ name, rules })) };
};
