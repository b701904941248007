import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { identityRefFields } from './aws-identity.ts';
import { loadBalancerSpecFields, secondaryLoadBalancerSpecFields } from './aws-load-balancer.ts';
import { networkSpecFields } from './aws-network.ts';

/** Texts of the spec of an AWSCluster, which is what an AWSClusterTemplate holds as well. */

const bastionText = [
  'A host with a public address from which people reach the machines by SSH. It is created only if the cluster has a private subnet.',
  {
    enabled: 'Whether there is a bastion. Defaults to false; switching it off terminates the instance.',
    disableIngressRules:
      'Creates no ingress rules for the bastion, for example because you use Session Manager instead. Defaults to false.',
    allowedCIDRBlocks:
      'CIDR blocks that may reach port 22 of the bastion. Defaults to 0.0.0.0/0 and ::/0; not allowed with disableIngressRules.',
    instanceType: 'EC2 instance type. Defaults to t3.micro, in us-east-1 to t2.micro.',
    ami: 'ID of the image. Defaults to the newest Ubuntu 24.04 image from Canonical.',
  },
] satisfies FieldText;

const s3BucketText = [
  'S3 bucket that holds the bootstrap data of machines with Ignition until they have read it. It is created if it does not exist.',
  {
    name: 'Name of the bucket, 3 to 63 characters. It must begin with cluster-api-provider-aws-, as the roles of the installation may touch no other bucket.',
    controlPlaneIAMInstanceProfile:
      'Role that may read the data of control plane machines. Required unless presignedURLDuration is set.',
    nodesIAMInstanceProfiles:
      'Roles that may read the data of worker machines. At least one is required unless presignedURLDuration is set.',
    additionalIAMRoles: [
      'Further roles that may read from the bucket.',
      {
        name: 'Name of the IAM role, not its ARN.',
        prefix: 'Keys that the role may read, such as node/* or *. Must not start with a slash.',
      },
    ],
    presignedURLDuration:
      'How long the presigned URL of a machine is valid, 1s to 168h, such as 1h. If set, machines read by such a URL and need no role.',
    bestEffortDeleteObjects:
      'Whether the deletion of a machine continues if S3 denies the deletion of its data. Defaults to false.',
  },
] satisfies FieldText;

/** The spec of an AWSCluster. */
export const awsClusterSpecFields = {
  network: ['Network of the cluster, created where it does not exist.', networkSpecFields],
  region: 'AWS region of the cluster. Defaults to the region of the installation; immutable.',
  partition: 'Stored and not acted on: the partition follows from the region.',
  sshKeyName:
    'Name of the EC2 key pair for SSH access to machines that name none and to the bastion, or the empty string for none. Defaults to default, or to none if another system manages the AWSCluster.',
  controlPlaneEndpoint: [
    'Address that clients reach the Kubernetes API at. Set to the load balancer by the controllers unless you set your own, which loadBalancerType disabled requires; immutable once set.',
    {
      host: 'DNS name or IP address of the Kubernetes API. If you set your own, point it to the load balancer.',
      port: "Port of the Kubernetes API, 1 to 65535. The controllers use the Cluster's spec.clusterNetwork.apiServerPort, by default 6443.",
    },
  ],
  additionalTags: 'Tags for the network, the load balancers, the instances and the bucket of the cluster, at most 50.',
  controlPlaneLoadBalancer: ['Load balancer in front of the API servers.', loadBalancerSpecFields],
  secondaryControlPlaneLoadBalancer: [
    'A second load balancer in front of the API servers, such as an internal one beside a public one. The endpoint stays that of the first; it can be added and removed later.',
    secondaryLoadBalancerSpecFields,
  ],
  imageLookupFormat:
    'Name pattern of the AMI for machines that set neither it nor ami, as in an AWSMachine. Defaults to `capa-ami-{{.BaseOS}}-?{{.K8sVersion}}-*`.',
  imageLookupOrg: 'AWS account that owns the AMI, for machines that do not set it. Defaults to 819546954734.',
  imageLookupBaseOS:
    'Value for {{.BaseOS}} in imageLookupFormat, for machines that do not set it. Defaults to ubuntu-24.04.',
  bastion: bastionText,
  identityRef: [
    'Identity whose credentials are used for the cluster. Defaults to the AWSClusterControllerIdentity default, the role of the installation.',
    identityRefFields,
  ],
  s3Bucket: s3BucketText,
} satisfies FieldTexts;
