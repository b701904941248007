import type { MutatingCalls } from './mutating-call.ts';
import { POOL_CALLS } from './mutating-pool-calls.ts';
import { ROUTE_CALLS } from './mutating-route-calls.ts';
import { SERVICE_CALLS } from './mutating-service-calls.ts';

/**
 * Every call to AWS that changes anything, with the proof of the resource's ownership. A test reads the imports, and
 * fails for a missing call or file and for a row without a call. New calls also get a test in test/tenants.
 */

export type { MutatingCalls } from './mutating-call.ts';

const TABLE_DELETES = [
  'work/cluster-leases',
  'work/machine-leases',
  'indexes/owner-index',
  'work/pledges',
  'limits/watch-slots',
].map((name) => `shared/store/${name}.ts`);

const api = (name: string): string => `shared/providers/aws/api/${name}.ts`;
const balancing = (resource: string): string => `shared/providers/aws/load-balancer/${resource}/api.ts`;
const network = (resource: string): string => `shared/providers/aws/network/${resource}/api.ts`;

export const MUTATING_CALLS: readonly MutatingCalls[] = [
  {
    proof: 'own',
    by: 'the installation’s table and state machines, which the environment names; roles that identities name for their namespaces; functions that the setting extensionFunctions lists',
    calls: {
      'dynamodb:Delete': TABLE_DELETES,
      'dynamodb:Put': [
        'shared/store/objects/counter.ts',
        'shared/store/limits/fleet-brake.ts',
        'shared/store/objects/writes.ts',
        'shared/store/indexes/owner-index.ts',
        'shared/store/work/pledges.ts',
        'shared/store/limits/quota-usage.ts',
        'shared/store/records/records.ts',
        'shared/store/limits/watch-slots.ts',
      ],
      'dynamodb:Update': [
        'shared/store/work/cluster-leases.ts',
        'shared/store/objects/counter.ts',
        'shared/store/work/machine-leases.ts',
        'shared/store/work/node-watches.ts',
        'shared/store/objects/writes.ts',
        'shared/store/limits/quota-usage.ts',
        'shared/store/limits/reporters.ts',
        'shared/store/limits/turns.ts',
      ],
      'lambda:Invoke': ['shared/extensions/lambda.ts'],
      'sfn:StartExecution': ['shared/store/work/executions.ts'],
      'sts:AssumeRole': ['shared/providers/aws/roles.ts'],
    },
  },
  {
    proof: 'created',
    by: 'the tags of the cluster go into the call; IAM demands them',
    calls: {
      'ec2:AllocateAddress': [api('account-facts'), api('ec2-addresses')],
      'ec2:AllocateHosts': [api('ec2-hosts')],
      'ec2:CreateCarrierGateway': [network('carrier-gateway')],
      'ec2:CreateEgressOnlyInternetGateway': [network('egress-only-gateway')],
      'ec2:CreateInternetGateway': [network('internet-gateway')],
      'ec2:CreateNatGateway': [network('nat-gateways')],
      'ec2:CreateRouteTable': [network('route-tables')],
      'ec2:CreateSecurityGroup': [api('account-facts'), network('security-groups')],
      'ec2:CreateSubnet': [network('subnets')],
      'ec2:CreateVpc': [api('account-facts'), network('vpc')],
      'ec2:CreateVpcEndpoint': [network('endpoints')],
      'elastic-load-balancing-v2:CreateLoadBalancer': [balancing('balancer')],
      'elastic-load-balancing-v2:CreateTargetGroup': [balancing('target-groups')],
      'elastic-load-balancing:CreateLoadBalancer': [balancing('classic')],
    },
  },
  {
    proof: 'described',
    by: 'an address that heldAddresses finds by the cluster’s tags, and an instance that ownershipOf proves to be the machine’s (observeInstance)',
    calls: {
      'ec2:AssociateAddress': [api('ec2-instances')],
    },
  },
  {
    proof: 'described',
    by: 'of a VPC that isOwnVpc proves to be the cluster’s (planNetwork), by the snapshot of the same pass',
    calls: {
      'ec2:AssociateRouteTable': [network('route-tables')],
      'ec2:AssociateVpcCidrBlock': [network('secondary-blocks')],
      'ec2:AttachInternetGateway': [network('internet-gateway')],
      'ec2:CreateRoute': [network('route-tables')],
      'ec2:ModifySubnetAttribute': [network('subnets')],
      'ec2:ModifyVpcAttribute': [network('vpc')],
      'ec2:ModifyVpcEndpoint': [network('endpoints')],
      'ec2:ReplaceRoute': [network('route-tables')],
    },
  },
  {
    proof: 'described',
    by: 'groups that isOwnedBy proves to be the cluster’s, and the default group of its own VPC; a group that the spec brings is never changed (planSecurityGroups); for Services the nodes’ group that isOwnedBy proves (readFacts)',
    calls: {
      'ec2:AuthorizeSecurityGroupIngress': [network('security-groups')],
      'ec2:RevokeSecurityGroupEgress': [network('default-group'), network('security-groups')],
      'ec2:RevokeSecurityGroupIngress': [network('default-group'), network('security-groups')],
    },
  },
  {
    proof: 'described',
    by: 'parts of the cluster’s own network; subnets of a person’s that no cluster of another namespace owns (planSharedTags); instances that ownershipOf proves to be the machine’s, with their volumes (planInstanceDrift); volumes of the cluster’s driver without an owner, attached to such instances or to those of a group that isPools proves (claimVolumes)',
    calls: {
      'ec2:CreateTags': [api('ec2-repairs'), api('ec2-volumes'), network('tags')],
    },
  },
  {
    proof: 'described',
    by: 'planDeletion and planNetwork take what isOwnedBy finds in a VPC that isOwnVpc proves to be the cluster’s',
    calls: {
      'ec2:DeleteCarrierGateway': [network('carrier-gateway')],
      'ec2:DeleteEgressOnlyInternetGateway': [network('egress-only-gateway')],
      'ec2:DeleteInternetGateway': [network('internet-gateway')],
      'ec2:DeleteNatGateway': [network('nat-gateways')],
      'ec2:DeleteRouteTable': [network('route-tables')],
      'ec2:DeleteSubnet': [network('subnets')],
      'ec2:DeleteVpc': [network('vpc')],
      'ec2:DeleteVpcEndpoints': [network('endpoints')],
      'ec2:DetachInternetGateway': [network('internet-gateway')],
      'ec2:DisassociateRouteTable': [network('route-tables')],
      'ec2:DisassociateVpcCidrBlock': [network('secondary-blocks')],
    },
  },
  {
    proof: 'described',
    by: 'groups that isOwnedBy proves to be the cluster’s; of controllers in the cluster only in a VPC that isProvenVpc proves (collectSecurityGroups)',
    calls: {
      'ec2:DeleteSecurityGroup': [network('security-groups')],
    },
  },
  {
    proof: 'described',
    by: 'subnets on which a tag of ours names this cluster (planUnsharing); instances that ownershipOf proves to be the machine’s, with their volumes (planInstanceDrift)',
    calls: {
      'ec2:DeleteTags': [api('ec2-repairs'), network('tags')],
    },
  },
  {
    proof: 'described',
    by: 'volumes of the cluster’s driver with windlass.dev/cluster of this cluster, younger than the cluster (collectVolumes)',
    calls: {
      'ec2:DeleteVolume': [api('ec2-volumes')],
    },
  },
  {
    proof: 'described',
    by: 'instances that ownershipOf proves to be the machine’s, with their interfaces (planInstanceDrift)',
    calls: {
      'ec2:ModifyInstanceMetadataOptions': [api('ec2-repairs')],
      'ec2:ModifyNetworkInterfaceAttribute': [api('ec2-repairs')],
      'ec2:StartInstances': [api('ec2-repairs')],
    },
  },
  {
    proof: 'described',
    by: 'heldAddresses and planDeletion take addresses whose tags name the cluster',
    calls: {
      'ec2:ReleaseAddress': [api('ec2-addresses')],
    },
  },
  {
    proof: 'described',
    by: 'hosts that ownershipOf proves to be the machine’s (heldHosts)',
    calls: {
      'ec2:ReleaseHosts': [api('ec2-hosts')],
    },
  },
  {
    proof: 'created',
    by: 'the tags of the cluster and the machine go into the call, and IAM demands them; what the spec names by id is refused where its tags name a cluster of another namespace (foreignReference)',
    calls: {
      'ec2:RunInstances': [network('bastion'), api('ec2-instances')],
    },
  },
  {
    proof: 'described',
    by: 'instances that ownershipOf proves to be the machine’s (terminateInstance); bastions that isOwnedBy proves to be the cluster’s (observeBastions); unknown ones that isClustersInstance proves to be the cluster’s (unknownInstances)',
    calls: {
      'ec2:TerminateInstances': [network('bastion'), api('ec2-instances'), api('ec2-repairs')],
    },
  },
  {
    proof: 'described',
    by: 'what isOwnedBy proves to be the cluster’s; a person’s own load balancer is never changed (planLoadBalancing)',
    calls: {
      'elastic-load-balancing-v2:AddTags': [balancing('tags')],
      'elastic-load-balancing-v2:DeleteListener': [balancing('listeners')],
      'elastic-load-balancing-v2:ModifyListener': [balancing('listeners')],
      'elastic-load-balancing-v2:ModifyLoadBalancerAttributes': [balancing('balancer')],
      'elastic-load-balancing-v2:ModifyTargetGroup': [balancing('target-groups')],
      'elastic-load-balancing-v2:ModifyTargetGroupAttributes': [balancing('target-groups')],
      'elastic-load-balancing-v2:RemoveTags': [balancing('tags')],
      'elastic-load-balancing-v2:SetIpAddressType': [balancing('balancer')],
      'elastic-load-balancing-v2:SetSecurityGroups': [balancing('balancer')],
      'elastic-load-balancing-v2:SetSubnets': [balancing('balancer')],
      'elastic-load-balancing:AddTags': [balancing('classic')],
      'elastic-load-balancing:ApplySecurityGroupsToLoadBalancer': [balancing('classic')],
      'elastic-load-balancing:AttachLoadBalancerToSubnets': [balancing('classic')],
      'elastic-load-balancing:ConfigureHealthCheck': [balancing('classic')],
      'elastic-load-balancing:DeleteLoadBalancerListeners': [balancing('classic')],
      'elastic-load-balancing:ModifyLoadBalancerAttributes': [balancing('classic')],
      'elastic-load-balancing:RemoveTags': [balancing('classic')],
    },
  },
  {
    proof: 'described',
    by: 'a load balancer that isOwnedBy proves to be the cluster’s (planLoadBalancing)',
    calls: {
      'elastic-load-balancing-v2:CreateListener': [balancing('listeners')],
      'elastic-load-balancing:CreateLoadBalancerListeners': [balancing('classic')],
    },
  },
  {
    proof: 'described',
    by: 'what isOwnedBy proves to be the cluster’s (planLoadBalancingDeletion); of controllers in the cluster what provenBalancing proves',
    calls: {
      'elastic-load-balancing-v2:DeleteLoadBalancer': [api('balancing-garbage'), balancing('balancer')],
      'elastic-load-balancing-v2:DeleteTargetGroup': [api('balancing-garbage'), balancing('target-groups')],
      'elastic-load-balancing:DeleteLoadBalancer': [api('balancing-garbage'), balancing('classic')],
    },
  },
  {
    proof: 'described',
    by: 'a target group that groupOwnership proves to be the cluster’s, or a person’s own (deregisterTarget)',
    calls: {
      'elastic-load-balancing-v2:DeregisterTargets': [api('elbv2-targets')],
      'elastic-load-balancing:DeregisterInstancesFromLoadBalancer': [api('classic-elb-targets')],
    },
  },
  {
    proof: 'described',
    by: 'a target group that groupOwnership proves to be the cluster’s, or a person’s own (registerTarget), and an instance that ownershipOf proves to be the machine’s (observeInstance before it, registerMissing)',
    calls: {
      'elastic-load-balancing-v2:RegisterTargets': [api('elbv2-targets'), balancing('target-groups')],
      'elastic-load-balancing:RegisterInstancesWithLoadBalancer': [api('classic-elb-targets'), balancing('classic')],
    },
  },
  {
    proof: 'created',
    by: 'the intent is on record first, and the tags follow; names of buckets are unique in the world',
    calls: {
      's3:CreateBucket': [api('buckets')],
    },
  },
  {
    proof: 'described',
    by: 'a bucket that isOwnedBy proves to be the cluster’s, or one without tags that is on record as being made (ensureBucket, deleteBucket)',
    calls: {
      's3:DeleteBucket': [api('buckets')],
      's3:PutBucketPolicy': [api('buckets')],
      's3:PutBucketTagging': [api('buckets')],
    },
  },
  {
    proof: 'named',
    by: 'an object whose name has the uid of the AWSMachine (isObjectOf) or the AWSMachinePool (poolObject, storedPlaces)',
    calls: {
      's3:DeleteObject': [api('object-deletion')],
    },
  },
  {
    proof: 'created',
    by: 'under a name with the uid of the AWSMachine or the AWSMachinePool, in a bucket that no cluster of another namespace owns (ensureBucket)',
    calls: {
      's3:PutObject': [api('bootstrap-objects')],
    },
  },
  {
    proof: 'created',
    by: 'the tags of the cluster and the machine go into the call; IAM demands them; one that exists is believed only by its tags',
    calls: {
      'secrets-manager:CreateSecret': [api('bootstrap-secrets')],
      'ssm:PutParameter': [api('bootstrap-secrets')],
    },
  },
  {
    proof: 'described',
    by: 'ownershipOf proves it to be the machine’s, by its tags',
    calls: {
      'secrets-manager:DeleteSecret': [api('secret-deletion')],
      'ssm:DeleteParameter': [api('bootstrap-secrets')],
    },
  },
  {
    proof: 'described',
    by: 'ownershipOf proves it to be the machine’s, by its tags (isScheduledForDeletion)',
    calls: {
      'secrets-manager:RestoreSecret': [api('deleted-secrets')],
    },
  },
  ...POOL_CALLS,
  ...ROUTE_CALLS,
  ...SERVICE_CALLS,
];
