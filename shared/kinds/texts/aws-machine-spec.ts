import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import {
  capacityReservationIdText,
  capacityReservationPreferenceText,
  cpuOptionsText,
  elasticIpPoolFields,
  filtersText,
  instanceMetadataOptionsText,
  marketTypeText,
  nonRootVolumesText,
  privateDnsNameText,
  rootVolumeText,
  spotMarketOptionsText,
} from './aws-instance.ts';

/** Texts of the spec of an AWSMachine, which is the instance of an AWSMachineTemplate as well. */

export const ignitionText = [
  'How the bootstrap data reaches a machine that boots with Ignition, such as one that runs Flatcar. Cannot be combined with cloudInit.',
  {
    version: 'Version of the Ignition config that the machine gets: 2.3, 3.0, 3.1, 3.2, 3.3 or 3.4. Defaults to 2.3.',
    storageType:
      'Where the config is kept: ClusterObjectStore (the S3 bucket in spec.s3Bucket of the AWSCluster) or UnencryptedUserData (16 KiB at most). Defaults to ClusterObjectStore.',
    proxy: [
      'Proxies for what Ignition fetches while it configures the machine. Needs version 3.1 or newer.',
      {
        httpProxy: 'URL of the proxy for HTTP requests.',
        httpsProxy: 'URL of the proxy for HTTPS requests.',
        noProxy:
          'Hosts, domains and CIDR blocks that are reached without a proxy. At most 64 entries of 2048 characters.',
      },
    ],
    tls: [
      'What Ignition trusts when it fetches over TLS. Needs version 3.1 or newer.',
      {
        certificateAuthorities:
          'URLs of PEM certificate bundles that are trusted in addition to those of the image, data: URLs included. At most 64 entries.',
      },
    ],
  },
] satisfies FieldText;

const cloudInitText = [
  'How the bootstrap data reaches a machine that boots with cloud-init.',
  {
    insecureSkipSecretsManager:
      'Puts the bootstrap data, secrets included, into the user data of the instance, which holds 16 KiB at most; longer data is compressed. Defaults to false.',
    secureSecretsBackend:
      'Store that holds the bootstrap data until the machine has fetched and deleted it: secrets-manager or ssm-parameter-store. Defaults to secrets-manager.',
    secretPrefix: 'Prefix of the names of the bootstrap secrets. Set by the controllers.',
    secretCount: 'Number of secrets that the bootstrap data is split into, at most 500. Set by the controllers.',
  },
] satisfies FieldText;

export const amiText = [
  'Image to boot from. If absent, it is looked up by the imageLookup fields.',
  {
    id: 'ID of the AMI. The imageLookup fields are then ignored.',
    eksLookupType: 'Stored and not acted on: images that are published for EKS are not looked up.',
  },
] satisfies FieldText;

export const imageLookupFields = {
  imageLookupFormat:
    "Name pattern of the AMI, with {{.BaseOS}}, {{.K8sVersion}} and {{.Arch}} filled in, or ssm: and the name of an SSM parameter that holds its id. Defaults to the AWSCluster's, then to `capa-ami-{{.BaseOS}}-?{{.K8sVersion}}-*`.",
  imageLookupOrg: "AWS account that owns the AMI. Defaults to the AWSCluster's, then to 819546954734.",
  imageLookupBaseOS: "Value for {{.BaseOS}} in imageLookupFormat. Defaults to the AWSCluster's, then to ubuntu-24.04.",
} satisfies FieldTexts;

const hostFields = {
  tenancy:
    'Hardware that the instance runs on: default (shared), dedicated (single-tenant) or host (a Dedicated Host). If absent, the VPC decides.',
  hostID: 'ID of the Dedicated Host to run on. Needs tenancy host, and cannot be combined with dynamicHostAllocation.',
  hostAffinity:
    'Whether a stopped instance restarts on the same Dedicated Host (host) or on any (default). Defaults to default; host needs tenancy host.',
  dynamicHostAllocation: [
    'Allocates one Dedicated Host for the machine and releases it with the machine. Needs tenancy host and hostAffinity host.',
    { tags: 'Tags for the host, in addition to those of the cluster and of the machine.' },
  ],
} satisfies FieldTexts;

const networkFields = {
  publicIP:
    "Whether the instance gets a public IPv4 address. With true it is placed in a public subnet; otherwise it is placed in a private one, and if the field is absent, the subnet's setting applies.",
  elasticIpPool: [
    'Takes the public address from a pool that you brought to AWS, as an Elastic IP address. Needs publicIP.',
    elasticIpPoolFields,
  ],
  subnet: [
    "Subnet of the instance. If absent, it is one of the cluster's subnets in the failure domain of the machine.",
    { id: 'ID of the subnet, or the name that spec.network.subnets of the AWSCluster gives it.', filters: filtersText },
  ],
  additionalSecurityGroups: [
    "Security groups in addition to the cluster's, at most 16 items. Can be changed on a running instance.",
    { id: 'ID of the security group.', filters: filtersText },
  ],
  securityGroupOverrides:
    "IDs of security groups that replace the cluster's on this machine, by role: node, lb or controlplane.",
  networkInterfaces:
    'IDs of up to 2 existing network interfaces to attach in place of a new one. They keep their own security groups and tags.',
  networkInterfaceType:
    'Type of the primary network interface: interface or efa (Elastic Fabric Adapter). If absent, EC2 creates an ordinary interface.',
  assignPrimaryIPv6:
    'Whether the primary network interface gets a primary IPv6 address: enabled or disabled. Defaults to enabled if both the VPC and the subnet have IPv6.',
  privateDnsName: privateDnsNameText,
} satisfies FieldTexts;

/** The spec of an AWSMachine. */
export const awsMachineSpecFields = {
  ...hostFields,
  ...networkFields,
  ...imageLookupFields,
  instanceType: 'EC2 instance type, such as m6i.large.',
  providerID: 'Provider id of the node, in the form `aws:///<zone>/<instance id>`. Set by the controllers.',
  instanceID: 'ID of the EC2 instance. Set by the controllers.',
  ami: amiText,
  additionalTags:
    'Tags for the instance, its volumes and its network interfaces, at most 50. They take precedence over additionalTags of the AWSCluster and can be changed on a running instance.',
  iamInstanceProfile:
    'Name of the IAM instance profile. It must be one that the installation permits in the namespace; if absent, the instance has no IAM role.',
  sshKeyName:
    "Name of the EC2 key pair for SSH access, or the empty string for none. Defaults to the AWSCluster's, then to default, or to none if another system manages the AWSCluster.",
  rootVolume: rootVolumeText,
  nonRootVolumes: nonRootVolumesText,
  instanceMetadataOptions: instanceMetadataOptionsText,
  uncompressedUserData:
    'Whether user data that contains the bootstrap data itself stays uncompressed. If absent, it is compressed only if it is longer than 16 KiB; false is not allowed with Ignition, and data in a secret is always compressed.',
  cloudInit: cloudInitText,
  ignition: ignitionText,
  spotMarketOptions: spotMarketOptionsText,
  marketType: marketTypeText,
  capacityReservationId: capacityReservationIdText,
  capacityReservationPreference: capacityReservationPreferenceText,
  placementGroupName: 'Name of the placement group to launch into.',
  placementGroupPartition: 'Partition of the placement group, 1 to 7. Needs a group with the partition strategy.',
  cpuOptions: cpuOptionsText,
} satisfies FieldTexts;
