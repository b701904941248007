import { describe, expect, it } from 'vitest';
import { awsClusterTemplate } from '../aws-cluster-template/definition.ts';
import type { VpcSpec } from '../schema/aws-network.ts';
import { admit, example, refusals } from '../test-admission.ts';
import { awsCluster } from './definition.ts';
import type { AWSCluster, AWSClusterSpec } from './schema.ts';

const withSpec = (spec: Partial<AWSClusterSpec>): AWSCluster => {
  const base = example(awsCluster);
  return { ...base, spec: { ...base.spec, ...spec } };
};

const withVpc = (vpc: VpcSpec, network: AWSClusterSpec['network'] = {}): AWSCluster =>
  withSpec({ network: { ...network, vpc } });

const changed = (old: AWSCluster, spec: Partial<AWSClusterSpec>): AWSCluster => ({
  ...old,
  spec: { ...old.spec, ...spec },
});

describe('AWSCluster defaults', () => {
  it('complete an empty spec', () => {
    const { spec } = admit(awsCluster, { ...withSpec({}), spec: undefined });
    expect(spec).toEqual({
      network: {
        vpc: {
          cidrBlock: '10.0.0.0/16',
          availabilityZoneUsageLimit: 3,
          availabilityZoneSelection: 'Ordered',
          subnetSchema: 'PreferPrivate',
        },
        cni: {
          cniIngressRules: [
            { description: 'bgp (calico)', protocol: 'tcp', fromPort: 179, toPort: 179 },
            { description: 'IP-in-IP (calico)', protocol: '4', fromPort: -1, toPort: 65535 },
          ],
        },
      },
      identityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' },
      controlPlaneLoadBalancer: { scheme: 'internet-facing', loadBalancerType: 'nlb' },
    });
  });

  it('give no CIDR to an existing VPC or one with a range from a pool', () => {
    expect(admit(awsCluster, withVpc({ id: 'vpc-1' })).spec.network?.vpc?.cidrBlock).toBeUndefined();
    expect(admit(awsCluster, withVpc({ ipamPool: { id: 'pool' } })).spec.network?.vpc?.cidrBlock).toBeUndefined();
  });

  it('close the CNI ports if the list is empty', () => {
    expect(admit(awsCluster, withSpec({ network: { cni: {} } })).spec.network?.cni).toEqual({});
  });

  it('change nothing in an admitted object, and the example causes no warnings', () => {
    const once = admit(awsCluster, withSpec({}));
    expect(admit(awsCluster, once, once)).toEqual(once);
    expect(awsCluster.warnings?.(once, undefined)).toEqual([]);
  });
});

describe('AWSCluster network validation', () => {
  it('refuses malformed blocks and names their fields', () => {
    const subnets = [{ id: 'a', cidrBlock: '10.0.0.300/24' }];
    expect(refusals(awsCluster, withVpc({ cidrBlock: '10.0.0.0' }, { subnets }))).toEqual([
      'spec.network.vpc.cidrBlock: Invalid value: "10.0.0.0": VPC CIDR block is invalid',
      'spec.network.subnets[0].cidrBlock: Invalid value: "10.0.0.300/24": subnet CIDR block is invalid',
    ]);
  });

  it('refuses subnets that overlap or lie outside', () => {
    const subnets = [
      { id: 'a', cidrBlock: '10.0.0.0/20' },
      { id: 'b', cidrBlock: '10.0.8.0/24' },
      { id: 'c', cidrBlock: '10.1.0.0/24' },
    ];
    expect(refusals(awsCluster, withVpc({ cidrBlock: '10.0.0.0/16' }, { subnets }))).toEqual([
      'spec.network.subnets[1].cidrBlock: Invalid value: "10.0.8.0/24": must not overlap with spec.network.subnets[0].cidrBlock (10.0.0.0/20)',
      'spec.network.subnets[2].cidrBlock: Invalid value: "10.1.0.0/24": subnet CIDR block is not within the CIDR blocks of the VPC',
    ]);
  });

  it('refuses secondary blocks that overlap with the primary', () => {
    const secondaryCidrBlocks = [{ ipv4CidrBlock: '10.0.128.0/17' }];
    expect(refusals(awsCluster, withVpc({ cidrBlock: '10.0.0.0/16', secondaryCidrBlocks }))).toEqual([
      'spec.network.vpc.secondaryCidrBlocks[0].ipv4CidrBlock: Invalid value: "10.0.128.0/17": must not overlap with spec.network.vpc.cidrBlock (10.0.0.0/16)',
    ]);
  });

  it('does not check the subnets of an existing VPC', () => {
    const subnets = [{ id: 'subnet-1', cidrBlock: '10.9.0.0/24' }];
    expect(refusals(awsCluster, withVpc({ id: 'vpc-1', cidrBlock: '10.0.0.0/16' }, { subnets }))).toEqual([]);
  });

  it('allows only one kind of source in an ingress rule', () => {
    const rule = { description: 'x', protocol: 'tcp' as const, fromPort: 1, toPort: 2 };
    const rules = [{ ...rule, cidrBlocks: ['0.0.0.0/0'], sourceSecurityGroupIds: ['sg-1'] }];
    const lines = refusals(awsCluster, withSpec({ network: { additionalNodeIngressRules: rules } }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('spec.network.additionalNodeIngressRules[0]');
    expect(lines[0]).toContain('cannot be used together');
  });
});

describe('AWSCluster load balancer validation', () => {
  it.each(['elb', 'alb'] as const)(
    'refuses a load balancer of type %s, which is not for the Kubernetes API',
    (type) => {
      expect(refusals(awsCluster, withSpec({ controlPlaneLoadBalancer: { loadBalancerType: type } }))).toEqual([
        `spec.controlPlaneLoadBalancer.loadBalancerType: Invalid value: "${type}": not supported: use "nlb" or "classic" (or "disabled" for your own)`,
      ]);
    },
  );

  it('refuses options for a load balancer that Windlass does not manage', () => {
    const controlPlaneLoadBalancer = { loadBalancerType: 'disabled', name: 'mine', subnets: ['subnet-1'] } as const;
    expect(
      refusals(awsCluster, withSpec({ controlPlaneLoadBalancer: { ...controlPlaneLoadBalancer, subnets: ['s'] } })),
    ).toEqual([
      'spec.controlPlaneLoadBalancer.name: Invalid value: "mine": cannot configure a name if the LoadBalancer reconciliation is disabled',
      'spec.controlPlaneLoadBalancer.subnets: Invalid value: ["s"]: subnets cannot be set if the LoadBalancer reconciliation is disabled',
    ]);
  });

  it('refuses changes of the scheme, the name and the health check of a load balancer', () => {
    const old = admit(awsCluster, withSpec({}));
    const controlPlaneLoadBalancer = { scheme: 'internal' as const, name: 'other' };
    expect(refusals(awsCluster, changed(old, { controlPlaneLoadBalancer }), old)).toEqual([
      'spec.controlPlaneLoadBalancer.scheme: Invalid value: "internal": field is immutable',
      'spec.controlPlaneLoadBalancer.name: Invalid value: "other": field is immutable',
      'spec.controlPlaneLoadBalancer.healthCheckProtocol: Invalid value: null: field is immutable once set',
    ]);
  });

  it('allows changes of the health check of a classic load balancer, because it has no target groups', () => {
    const classic = { loadBalancerType: 'classic' } as const;
    const old = admit(awsCluster, withSpec({ controlPlaneLoadBalancer: classic }));
    const changes = {
      ...old.spec.controlPlaneLoadBalancer,
      healthCheckProtocol: 'SSL',
      targetGroupIPType: 'ipv4',
    } as const;
    expect(refusals(awsCluster, changed(old, { controlPlaneLoadBalancer: changes }), old)).toEqual([
      'spec.controlPlaneLoadBalancer.targetGroupIPType: Invalid value: "ipv4": targetGroupIPType cannot be used with classic load balancer types',
      'spec.controlPlaneLoadBalancer.targetGroupIPType: Forbidden: field is immutable and cannot be changed after target group creation',
    ]);
  });

  it('requires a different scheme and name for a second load balancer', () => {
    const secondaryControlPlaneLoadBalancer = { scheme: 'internet-facing' as const };
    expect(refusals(awsCluster, withSpec({ secondaryControlPlaneLoadBalancer }))).toEqual([
      'spec.secondaryControlPlaneLoadBalancer.name: Invalid value: null: secondary controlPlaneLoadBalancer.name cannot be empty',
      'spec.secondaryControlPlaneLoadBalancer.scheme: Invalid value: "internet-facing": control plane load balancers must have different schemes',
    ]);
  });
});

describe('the endpoint of an AWSCluster', () => {
  const endpoint = (port: number) => withSpec({ controlPlaneEndpoint: { host: 'api.example.com', port } });

  it('must have a port that the Cluster accepts', () => {
    for (const port of [0, 6443, 65_535]) expect(refusals(awsCluster, endpoint(port))).toEqual([]);
    expect(refusals(awsCluster, endpoint(-1))).toEqual([
      'spec.controlPlaneEndpoint.port: Invalid value: -1: must be between 1 and 65535',
    ]);
    expect(refusals(awsCluster, endpoint(65_536))).toHaveLength(1);
  });
});

describe('updates of an AWSCluster', () => {
  it('let the controller record what it has created, once', () => {
    const old = admit(awsCluster, withSpec({}));
    const vpc = { ...old.spec.network?.vpc, id: 'vpc-1', internetGatewayId: 'igw-1' };
    const subnets = [{ id: 'quickstart-subnet-private-us-east-1a', resourceID: 'subnet-1', cidrBlock: '10.0.64.0/18' }];
    const controlPlaneEndpoint = { host: 'lb.example.com', port: 6443 };
    const made = admit(
      awsCluster,
      changed(old, { network: { ...old.spec.network, vpc, subnets }, controlPlaneEndpoint }),
      old,
    );
    expect(made.spec.network?.subnets).toEqual(subnets);

    const moved = {
      network: { vpc: { id: 'vpc-2' } },
      controlPlaneEndpoint: { host: 'x', port: 1 },
      region: 'eu-west-1',
    };
    expect(refusals(awsCluster, changed(made, moved), made)).toEqual([
      'spec.region: Invalid value: "eu-west-1": field is immutable',
      'spec.controlPlaneEndpoint: Invalid value: {"host":"x","port":1}: field is immutable',
      'spec.network.vpc.id: Invalid value: "vpc-2": field cannot be modified once set',
    ]);
  });

  it('let a user apply the manifest again without the created parts', () => {
    const old = admit(awsCluster, withSpec({}));
    const status = { ready: true, failureDomains: { 'us-east-1a': { controlPlane: true } } };
    const made = admit(awsCluster, { ...old, status }, old);
    expect(admit(awsCluster, { ...withSpec({}), metadata: made.metadata, status }, made)).toEqual(made);
  });
});

describe('the type of an AWSCluster’s load balancer', () => {
  const typed = (loadBalancerType: 'nlb' | 'classic', dnsName?: string): AWSCluster => ({
    ...admit(awsCluster, withSpec({ controlPlaneLoadBalancer: { loadBalancerType } })),
    status: { networkStatus: { apiServerElb: { name: 'a', ...(dnsName ? { dnsName } : {}) } } },
  });
  const changed = (from: AWSCluster, to: 'nlb' | 'classic'): string[] =>
    refusals(awsCluster, { ...typed(to), metadata: from.metadata, status: from.status }, from);

  it('cannot be changed once the load balancer exists', () => {
    expect(changed(typed('nlb', 'a.example'), 'classic')).toEqual([
      'spec.controlPlaneLoadBalancer.loadBalancerType: Invalid value: "classic": field is immutable once the load balancer exists',
    ]);
    expect(changed(typed('nlb', 'a.example'), 'nlb')).toEqual([]);
  });

  it('can be corrected before the load balancer exists', () => {
    expect(changed(typed('classic'), 'nlb')).toEqual([]);
  });
});

describe('AWSCluster admission', () => {
  it('recommends another type for a classic load balancer', () => {
    const additionalListeners = [{ port: 8132 }];
    const classic = { loadBalancerType: 'classic', healthCheckProtocol: 'SSL', additionalListeners } as const;
    const object = admit(awsCluster, withSpec({ controlPlaneLoadBalancer: classic }));
    expect(awsCluster.warnings?.(object, undefined)?.map((warning) => warning.split(':')[0])).toEqual([
      'spec.controlPlaneLoadBalancer.loadBalancerType',
      'spec.controlPlaneLoadBalancer.healthCheckProtocol',
      'spec.controlPlaneLoadBalancer.additionalListeners',
    ]);
  });

  it('warns that there is no second load balancer if the first is disabled', () => {
    const spec = {
      controlPlaneLoadBalancer: { loadBalancerType: 'disabled' },
      secondaryControlPlaneLoadBalancer: { name: 'in' },
    } as const;
    const object = admit(awsCluster, withSpec(spec));
    expect(awsCluster.warnings?.(object, undefined)).toEqual([
      'spec.secondaryControlPlaneLoadBalancer: is not created if the first load balancer is disabled',
    ]);
  });

  it('warns about fields that have no effect, also in a template', () => {
    const spec = {
      ...{ region: 'eu-central-1', partition: 'aws-cn' },
      controlPlaneLoadBalancer: { loadBalancerType: 'nlb', disableHostsRewrite: true },
      secondaryControlPlaneLoadBalancer: { name: 'in', disableHostsRewrite: true },
    } as const;
    const warned = (warnings: string[] | undefined) => warnings?.map((warning) => warning.split(':')[0]);
    const fields = [
      'partition',
      ...['controlPlane', 'secondaryControlPlane'].map((n) => `${n}LoadBalancer.disableHostsRewrite`),
    ];
    const cluster = admit(awsCluster, withSpec(spec));
    expect(warned(awsCluster.warnings?.(cluster, undefined))).toEqual(fields.map((field) => `spec.${field}`));
    const template = admit(awsClusterTemplate, {
      ...{ apiVersion: cluster.apiVersion, kind: 'AWSClusterTemplate', metadata: { name: 'c' } },
      spec: { template: { spec } },
    });
    expect(warned(awsClusterTemplate.warnings?.(template, undefined))).toEqual(
      fields.map((field) => `spec.template.spec.${field}`),
    );
    expect(
      awsCluster.warnings?.(admit(awsCluster, withSpec({ region: 'us-east-1', partition: 'aws' })), undefined),
    ).toEqual([]);
  });

  it('refuses tags that AWS would refuse, and invalid key names', () => {
    const additionalTags = { 'aws:owner': 'me', team: 'a'.repeat(257), 'semi;colon': 'x' };
    expect(refusals(awsCluster, withSpec({ additionalTags, sshKeyName: ' default' }))).toHaveLength(4);
  });
});
