/**
 * Every call to AWS that changes anything, with the proof of whose the thing is. A test reads the imports and fails for a
 * call or a file that is missing here, and for a row without a call. A new call gets a test in test/tenants as well.
 */

/**
 * - `created`: the call makes the thing, and marks it as the cluster's.
 * - `described`: its tags were read in the same pass, and prove it to be the cluster's or the machine's.
 * - `named`: its name can only be that of this object's own.
 * - `own`: a thing of the installation, which no object names.
 */
export type Proof = 'created' | 'described' | 'named' | 'own';

export interface MutatingCalls {
  proof: Proof;
  /** What establishes it, and where. */
  by: string;
  /** The files that make each call, `<client>:<operation>`. */
  calls: Readonly<Record<string, readonly string[]>>;
}

const TABLE_DELETES = ['cluster-leases', 'machine-leases', 'owner-index', 'pledges', 'watch-slots'].map(
  (name) => `shared/store/${name}.ts`,
);

export const MUTATING_CALLS: readonly MutatingCalls[] = [
  {
    proof: 'own',
    by: 'the installation’s table and state machines, which the environment names; roles that identities name for their namespaces',
    calls: {
      'dynamodb:Delete': TABLE_DELETES,
      'dynamodb:Put': [
        'shared/store/counter.ts',
        'shared/store/object-writes.ts',
        'shared/store/owner-index.ts',
        'shared/store/pledges.ts',
        'shared/store/quota-usage.ts',
        'shared/store/records.ts',
        'shared/store/watch-slots.ts',
      ],
      'dynamodb:Update': [
        'shared/store/cluster-leases.ts',
        'shared/store/counter.ts',
        'shared/store/machine-leases.ts',
        'shared/store/object-writes.ts',
        'shared/store/quota-usage.ts',
      ],
      'sfn:StartExecution': ['shared/store/executions.ts'],
      'sts:AssumeRole': ['shared/aws/roles.ts'],
    },
  },
  {
    proof: 'created',
    by: 'the tags of the cluster go into the call; IAM demands them',
    calls: {
      'ec2:AllocateAddress': ['shared/aws/account-facts.ts', 'shared/aws/ec2-addresses.ts'],
      'ec2:AllocateHosts': ['shared/aws/ec2-hosts.ts'],
      'ec2:CreateCarrierGateway': ['shared/aws/ec2-network-extra-writes.ts'],
      'ec2:CreateEgressOnlyInternetGateway': ['shared/aws/ec2-network-extra-writes.ts'],
      'ec2:CreateInternetGateway': ['shared/aws/ec2-network-writes.ts'],
      'ec2:CreateNatGateway': ['shared/aws/ec2-network-writes.ts'],
      'ec2:CreateRouteTable': ['shared/aws/ec2-network-writes.ts'],
      'ec2:CreateSecurityGroup': ['shared/aws/account-facts.ts', 'shared/aws/ec2-network-writes.ts'],
      'ec2:CreateSubnet': ['shared/aws/ec2-network-writes.ts'],
      'ec2:CreateVpc': ['shared/aws/account-facts.ts', 'shared/aws/ec2-network-extra-writes.ts'],
      'ec2:CreateVpcEndpoint': ['shared/aws/ec2-network-extra-writes.ts'],
      'elastic-load-balancing-v2:CreateLoadBalancer': ['shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing-v2:CreateTargetGroup': ['shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing:CreateLoadBalancer': ['shared/aws/classic-elb.ts'],
    },
  },
  {
    proof: 'described',
    by: 'an address that heldAddresses finds by the cluster’s tags, and an instance that ownershipOf proves to be the machine’s (observeInstance)',
    calls: {
      'ec2:AssociateAddress': ['shared/aws/ec2-instances.ts'],
    },
  },
  {
    proof: 'described',
    by: 'of a VPC that isOwnVpc proves to be the cluster’s (planNetwork), by the snapshot of the same pass',
    calls: {
      'ec2:AssociateRouteTable': ['shared/aws/ec2-network-writes.ts'],
      'ec2:AssociateVpcCidrBlock': ['shared/aws/ec2-network-extra-writes.ts'],
      'ec2:AttachInternetGateway': ['shared/aws/ec2-network-writes.ts'],
      'ec2:CreateRoute': ['shared/aws/ec2-network-extra-writes.ts'],
      'ec2:ModifySubnetAttribute': ['shared/aws/ec2-network-extra-writes.ts', 'shared/aws/ec2-network-writes.ts'],
      'ec2:ModifyVpcAttribute': ['shared/aws/ec2-network-writes.ts'],
      'ec2:ModifyVpcEndpoint': ['shared/aws/ec2-network-extra-writes.ts'],
      'ec2:ReplaceRoute': ['shared/aws/ec2-network-extra-writes.ts'],
    },
  },
  {
    proof: 'described',
    by: 'groups that isOwnedBy proves to be the cluster’s, and the default group of its own VPC; a group that the spec brings is never changed (planSecurityGroups)',
    calls: {
      'ec2:AuthorizeSecurityGroupIngress': ['shared/aws/ec2-network-writes.ts'],
      'ec2:RevokeSecurityGroupEgress': ['shared/aws/ec2-network-extra-writes.ts', 'shared/aws/ec2-network-writes.ts'],
      'ec2:RevokeSecurityGroupIngress': ['shared/aws/ec2-network-extra-writes.ts', 'shared/aws/ec2-network-writes.ts'],
    },
  },
  {
    proof: 'described',
    by: 'parts of the cluster’s own network; subnets of a person’s that no cluster of another namespace owns (planSharedTags); instances that ownershipOf proves to be the machine’s, with their volumes (planInstanceDrift)',
    calls: {
      'ec2:CreateTags': ['shared/aws/ec2-network-writes.ts', 'shared/aws/ec2-repairs.ts'],
    },
  },
  {
    proof: 'described',
    by: 'planDeletion and planNetwork take what isOwnedBy finds in a VPC that isOwnVpc proves to be the cluster’s',
    calls: {
      'ec2:DeleteCarrierGateway': ['shared/aws/ec2-network-extra-writes.ts'],
      'ec2:DeleteEgressOnlyInternetGateway': ['shared/aws/ec2-network-extra-writes.ts'],
      'ec2:DeleteInternetGateway': ['shared/aws/ec2-network-writes.ts'],
      'ec2:DeleteNatGateway': ['shared/aws/ec2-network-writes.ts'],
      'ec2:DeleteRouteTable': ['shared/aws/ec2-network-writes.ts'],
      'ec2:DeleteSubnet': ['shared/aws/ec2-network-writes.ts'],
      'ec2:DeleteVpc': ['shared/aws/ec2-network-writes.ts'],
      'ec2:DeleteVpcEndpoints': ['shared/aws/ec2-network-extra-writes.ts'],
      'ec2:DetachInternetGateway': ['shared/aws/ec2-network-writes.ts'],
      'ec2:DisassociateRouteTable': ['shared/aws/ec2-network-writes.ts'],
      'ec2:DisassociateVpcCidrBlock': ['shared/aws/ec2-network-extra-writes.ts'],
    },
  },
  {
    proof: 'described',
    by: 'groups that isOwnedBy proves to be the cluster’s; of controllers in the cluster only in a VPC that isProvenVpc proves (collectSecurityGroups)',
    calls: {
      'ec2:DeleteSecurityGroup': ['shared/aws/ec2-network-writes.ts'],
    },
  },
  {
    proof: 'described',
    by: 'subnets on which a tag of ours names this cluster (planUnsharing); instances that ownershipOf proves to be the machine’s, with their volumes (planInstanceDrift)',
    calls: {
      'ec2:DeleteTags': ['shared/aws/ec2-network-writes.ts', 'shared/aws/ec2-repairs.ts'],
    },
  },
  {
    proof: 'described',
    by: 'volumes with the tag of the cluster’s driver, younger than the cluster, where no other cluster of the name is in sight (collectVolumes)',
    calls: {
      'ec2:DeleteVolume': ['shared/aws/ec2-volumes.ts'],
    },
  },
  {
    proof: 'described',
    by: 'instances that ownershipOf proves to be the machine’s, with their interfaces (planInstanceDrift)',
    calls: {
      'ec2:ModifyInstanceMetadataOptions': ['shared/aws/ec2-repairs.ts'],
      'ec2:ModifyNetworkInterfaceAttribute': ['shared/aws/ec2-repairs.ts'],
      'ec2:StartInstances': ['shared/aws/ec2-repairs.ts'],
    },
  },
  {
    proof: 'described',
    by: 'heldAddresses and planDeletion take addresses whose tags name the cluster',
    calls: {
      'ec2:ReleaseAddress': ['shared/aws/ec2-addresses.ts'],
    },
  },
  {
    proof: 'described',
    by: 'hosts that ownershipOf proves to be the machine’s (heldHosts)',
    calls: {
      'ec2:ReleaseHosts': ['shared/aws/ec2-hosts.ts'],
    },
  },
  {
    proof: 'created',
    by: 'the tags of the cluster and the machine go into the call, and IAM demands them; what the spec names by id is refused where its tags name a cluster of another namespace (foreignReference)',
    calls: {
      'ec2:RunInstances': ['shared/aws/ec2-bastion.ts', 'shared/aws/ec2-instances.ts'],
    },
  },
  {
    proof: 'described',
    by: 'instances that ownershipOf proves to be the machine’s (terminateInstance); bastions that isOwnedBy proves to be the cluster’s (observeBastions); unknown ones that isClustersInstance proves to be the cluster’s (unknownInstances)',
    calls: {
      'ec2:TerminateInstances': [
        'shared/aws/ec2-bastion.ts',
        'shared/aws/ec2-instances.ts',
        'shared/aws/ec2-repairs.ts',
      ],
    },
  },
  {
    proof: 'described',
    by: 'what isOwnedBy proves to be the cluster’s; a person’s own load balancer is never changed (planLoadBalancing)',
    calls: {
      'elastic-load-balancing-v2:AddTags': ['shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing-v2:DeleteListener': ['shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing-v2:ModifyListener': ['shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing-v2:ModifyLoadBalancerAttributes': ['shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing-v2:ModifyTargetGroup': ['shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing-v2:ModifyTargetGroupAttributes': ['shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing-v2:RemoveTags': ['shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing-v2:SetIpAddressType': ['shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing-v2:SetSecurityGroups': ['shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing-v2:SetSubnets': ['shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing:AddTags': ['shared/aws/classic-elb.ts'],
      'elastic-load-balancing:ApplySecurityGroupsToLoadBalancer': ['shared/aws/classic-elb.ts'],
      'elastic-load-balancing:AttachLoadBalancerToSubnets': ['shared/aws/classic-elb.ts'],
      'elastic-load-balancing:ConfigureHealthCheck': ['shared/aws/classic-elb.ts'],
      'elastic-load-balancing:DeleteLoadBalancerListeners': ['shared/aws/classic-elb.ts'],
      'elastic-load-balancing:ModifyLoadBalancerAttributes': ['shared/aws/classic-elb.ts'],
      'elastic-load-balancing:RemoveTags': ['shared/aws/classic-elb.ts'],
    },
  },
  {
    proof: 'described',
    by: 'a load balancer that isOwnedBy proves to be the cluster’s (planLoadBalancing)',
    calls: {
      'elastic-load-balancing-v2:CreateListener': ['shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing:CreateLoadBalancerListeners': ['shared/aws/classic-elb.ts'],
    },
  },
  {
    proof: 'described',
    by: 'what isOwnedBy proves to be the cluster’s (planLoadBalancingDeletion); of controllers in the cluster what provenBalancing proves',
    calls: {
      'elastic-load-balancing-v2:DeleteLoadBalancer': ['shared/aws/balancing-garbage.ts', 'shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing-v2:DeleteTargetGroup': ['shared/aws/balancing-garbage.ts', 'shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing:DeleteLoadBalancer': ['shared/aws/balancing-garbage.ts', 'shared/aws/classic-elb.ts'],
    },
  },
  {
    proof: 'described',
    by: 'a target group that groupOwnership proves to be the cluster’s, or a person’s own (deregisterTarget)',
    calls: {
      'elastic-load-balancing-v2:DeregisterTargets': ['shared/aws/elbv2-targets.ts'],
      'elastic-load-balancing:DeregisterInstancesFromLoadBalancer': ['shared/aws/classic-elb-targets.ts'],
    },
  },
  {
    proof: 'described',
    by: 'a target group that groupOwnership proves to be the cluster’s, or a person’s own (registerTarget), and an instance that ownershipOf proves to be the machine’s (observeInstance before it, registerMissing)',
    calls: {
      'elastic-load-balancing-v2:RegisterTargets': ['shared/aws/elbv2-targets.ts', 'shared/aws/elbv2-writes.ts'],
      'elastic-load-balancing:RegisterInstancesWithLoadBalancer': [
        'shared/aws/classic-elb-targets.ts',
        'shared/aws/classic-elb.ts',
      ],
    },
  },
  {
    proof: 'created',
    by: 'the intent is on record first, and the tags follow; names of buckets are unique in the world',
    calls: {
      's3:CreateBucket': ['shared/aws/buckets.ts'],
    },
  },
  {
    proof: 'described',
    by: 'a bucket that isOwnedBy proves to be the cluster’s, or one without tags that is on record as being made (ensureBucket, deleteBucket)',
    calls: {
      's3:DeleteBucket': ['shared/aws/buckets.ts'],
      's3:PutBucketPolicy': ['shared/aws/buckets.ts'],
      's3:PutBucketTagging': ['shared/aws/buckets.ts'],
    },
  },
  {
    proof: 'named',
    by: 'an object whose name has the uid of the AWSMachine (isObjectOf)',
    calls: {
      's3:DeleteObject': ['shared/aws/bootstrap-objects.ts'],
    },
  },
  {
    proof: 'created',
    by: 'under a name with the uid of the AWSMachine, in a bucket that no cluster of another namespace owns (ensureBucket)',
    calls: {
      's3:PutObject': ['shared/aws/bootstrap-objects.ts'],
    },
  },
  {
    proof: 'created',
    by: 'the tags of the cluster and the machine go into the call; IAM demands them; one that exists is believed only by its tags',
    calls: {
      'secrets-manager:CreateSecret': ['shared/aws/bootstrap-secrets.ts'],
      'ssm:PutParameter': ['shared/aws/bootstrap-secrets.ts'],
    },
  },
  {
    proof: 'described',
    by: 'ownershipOf proves it to be the machine’s, by its tags',
    calls: {
      'secrets-manager:DeleteSecret': ['shared/aws/bootstrap-secrets.ts'],
      'ssm:DeleteParameter': ['shared/aws/bootstrap-secrets.ts'],
    },
  },
  {
    proof: 'described',
    by: 'ownershipOf proves it to be the machine’s, by its tags (isDoomed)',
    calls: {
      'secrets-manager:RestoreSecret': ['shared/aws/doomed-secrets.ts'],
    },
  },
];
