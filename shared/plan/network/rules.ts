import type { AWSClusterSpec } from '../../kinds/aws-cluster/schema.ts';
import type { IngressRule } from '../../kinds/schema/aws-network.ts';
import type { DesiredSecurityGroup, SecurityGroupRole } from './model.ts';

/**
 * Who may reach what: the rule table of the AWS provider. Two differences, both towards fewer open doors: an API load
 * balancer with ingress rules of its own is not opened to everybody until the NAT gateways' addresses are known, and the
 * rules of the workers' load balancer group follow later changes.
 */

type Rule = DesiredSecurityGroup['ingress'][number];

export interface RuleInput {
  spec: AWSClusterSpec;
  /** Port of the API that clients use. */
  apiPort: number;
  vpcCidr: string;
  /** Public addresses of the NAT gateways that exist. */
  natIps: readonly string[];
}

/** Port that kubeadm gives the API server of a machine. */
export const API_SERVER_PORT = 6443;

const ANYWHERE = '0.0.0.0/0';

const tcp = (description: string, port: number | [number, number], sources: readonly Rule['source'][]): Rule[] => {
  const [fromPort, toPort] = typeof port === 'number' ? [port, port] : port;
  return sources.map((source) => ({ protocol: 'tcp', fromPort, toPort, source, description }));
};

const roles = (...names: SecurityGroupRole[]) => names.map((role) => ({ role }));

/** A rule of the user for each of its sources; without any it admits the control plane. */
const expand = (rule: IngressRule, natIps: readonly string[]): Rule[] => {
  const sources: Rule['source'][] = [
    ...(rule.cidrBlocks ?? []),
    ...(rule.ipv6CidrBlocks ?? []),
    ...(rule.sourceSecurityGroupIds ?? []),
    ...roles(...((rule.sourceSecurityGroupRoles ?? []) as SecurityGroupRole[])),
  ];
  if (rule.natGatewaysIPsSource) sources.push(...natIps.map((ip) => `${ip}/32`));
  else if (sources.length === 0) sources.push({ role: 'controlplane' });
  const { protocol, fromPort, toPort, description } = rule;
  return sources.map((source) => ({ protocol, fromPort, toPort, description, source }));
};

const cniRules = ({ spec }: RuleInput): Rule[] =>
  (spec.network?.cni?.cniIngressRules ?? []).flatMap(({ protocol, fromPort, toPort, description }) =>
    roles('controlplane', 'node').map((source) => ({ protocol, fromPort, toPort, description, source })),
  );

const apiLoadBalancerRules = ({ spec, apiPort, vpcCidr, natIps }: RuleInput): Rule[] => {
  const loadBalancer = spec.controlPlaneLoadBalancer;
  const own = loadBalancer?.scheme === 'internal' ? [vpcCidr] : natIps.map((ip) => `${ip}/32`);
  const custom = loadBalancer?.ingressRules ?? [];
  const others =
    custom.length > 0 ? custom.flatMap((rule) => expand(rule, natIps)) : tcp('Kubernetes API', apiPort, [ANYWHERE]);
  return [...tcp('Kubernetes API', apiPort, own), ...others];
};

/** How our rules in the group that the cluster's own controllers write to begin; so they are known again. */
export const NLB_DESCRIPTION = 'Allow NLB traffic to the control plane instances';

const workerLoadBalancerRules = ({ spec, vpcCidr }: RuleInput): Rule[] => {
  const loadBalancer = spec.controlPlaneLoadBalancer;
  if (loadBalancer?.loadBalancerType !== 'nlb') return [];
  const source = loadBalancer.preserveClientIP ? ANYWHERE : vpcCidr;
  return [
    ...tcp(`${NLB_DESCRIPTION}.`, API_SERVER_PORT, [source]),
    ...(loadBalancer.additionalListeners ?? []).flatMap(({ port }) =>
      tcp(`${NLB_DESCRIPTION} on port ${port}.`, port, [source]),
    ),
  ];
};

const SSH = 22;

const hasBastion = ({ bastion }: AWSClusterSpec): boolean => bastion?.enabled === true;

const sshRules = ({ spec }: RuleInput): Rule[] => (hasBastion(spec) ? tcp('SSH', SSH, roles('bastion')) : []);

/** Without ranges nobody gets in from outside: the way in may be Session Manager. */
const bastionRules = ({ spec }: RuleInput): Rule[] => {
  const { disableIngressRules, allowedCIDRBlocks = [] } = spec.bastion ?? {};
  const hasIpv6 = spec.network?.vpc?.ipv6 !== undefined;
  const sources = allowedCIDRBlocks.filter((block) => hasIpv6 || !block.includes(':'));
  return disableIngressRules ? [] : tcp('SSH', SSH, sources);
};

const controlPlaneRules = (input: RuleInput): Rule[] => [
  ...tcp('Kubernetes API', API_SERVER_PORT, roles('apiserver-lb', 'controlplane', 'node')),
  ...tcp('etcd', 2379, roles('controlplane')),
  ...tcp('etcd peer', 2380, roles('controlplane')),
  ...sshRules(input),
  ...cniRules(input),
  ...(input.spec.network?.additionalControlPlaneIngressRules ?? []).flatMap((rule) => expand(rule, input.natIps)),
];

const nodeRules = (input: RuleInput): Rule[] => {
  const { nodePortIngressRuleCidrBlocks: custom = [], additionalNodeIngressRules = [] } = input.spec.network ?? {};
  return [
    ...tcp('Node Port Services', [30000, 32767], custom.length > 0 ? custom : [ANYWHERE]),
    ...tcp('Kubelet API', 10250, roles('controlplane', 'node')),
    ...sshRules(input),
    ...cniRules(input),
    ...additionalNodeIngressRules.flatMap((rule) => expand(rule, input.natIps)),
  ];
};

/** The rules of each group, in the order in which the groups are made. */
export const securityGroupRules = (input: RuleInput): Readonly<Partial<Record<SecurityGroupRole, Rule[]>>> => ({
  'apiserver-lb': apiLoadBalancerRules(input),
  lb: workerLoadBalancerRules(input),
  controlplane: controlPlaneRules(input),
  node: nodeRules(input),
  ...(hasBastion(input.spec) ? { bastion: bastionRules(input) } : {}),
});
