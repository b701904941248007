import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';

/** Texts of the parts that describe an EC2 instance, in any kind. */

export const instanceMetadataOptionsText = [
  'Settings of the instance metadata service (IMDS).',
  {
    httpEndpoint:
      'Whether the metadata service is reachable on the instance: enabled or disabled. Defaults to enabled.',
    httpProtocolIpv6: 'Whether the metadata service is reachable over IPv6: enabled or disabled. Defaults to disabled.',
    httpPutResponseHopLimit:
      'Number of network hops that a response with a session token may travel, 1 to 64. Defaults to 1, which keeps pods with their own network from getting a token.',
    httpTokens:
      'Whether requests need a session token: required (IMDSv2 only) or optional. Defaults to required, unlike upstream.',
    instanceMetadataTags:
      'Whether the tags of the instance can be read from the metadata service: enabled or disabled. Defaults to disabled.',
  },
] satisfies FieldText;

const volumeFields = {
  size: 'Size in GiB, at least 8. The root volume cannot be smaller than the snapshot of its image.',
  type: 'EBS volume type, such as gp3 or io2. If absent, EC2 decides.',
  iops: 'Provisioned I/O operations per second. Required for io1 and io2; types without provisioned IOPS do not accept it.',
  throughput: 'Provisioned throughput in MiB/s, 125 to 2000. Only for gp3.',
  encrypted: 'Whether the volume is encrypted. Defaults to true, unlike upstream.',
  encryptionKey:
    'KMS key for the encryption, as an id or an ARN. If set, the volume is encrypted even if encrypted is false; if absent, the default EBS key of the account is used.',
} satisfies FieldTexts;

export const rootVolumeText = [
  'Root volume of the instance. If absent, it has the size that the image sets, and is encrypted.',
  { ...volumeFields, deviceName: 'Ignored: the image determines the device of the root volume.' },
] satisfies FieldText;

export const nonRootVolumesText = [
  'Additional EBS volumes. They are created with the instance and deleted with it.',
  { ...volumeFields, deviceName: 'Device that the volume is attached as, such as /dev/sdb. Required.' },
] satisfies FieldText;

export const privateDnsNameText = [
  'Private DNS name of the instance, applied at launch. Absent fields follow the settings of the subnet.',
  {
    hostnameType:
      'What the host name is made of: ip-name (the private IPv4 address) or resource-name (the instance id).',
    enableResourceNameDnsARecord: 'Whether DNS answers A queries for the name that is made of the instance id.',
    enableResourceNameDnsAAAARecord: 'Whether DNS answers AAAA queries for the name that is made of the instance id.',
  },
] satisfies FieldText;

export const spotMarketOptionsText = [
  'Runs the instance as a one-time spot instance, which EC2 may reclaim at any time. Cannot be combined with capacityReservationId.',
  { maxPrice: 'Highest price to pay, in US dollars an hour, such as "0.05". Defaults to the on-demand price.' },
] satisfies FieldText;

export const cpuOptionsText = [
  'CPU features of the instance. Absent fields keep the defaults of the instance type.',
  {
    confidentialCompute:
      'Disabled, or AMDEncryptedVirtualizationNestedPaging for AMD SEV-SNP on types that support it.',
    nestedVirtualization: 'Whether virtual machines can run inside the instance: enabled or disabled.',
  },
] satisfies FieldText;

/** A reference to AWS resources by id or by filters. */
export const filtersText = [
  'Filters of the EC2 API that the resource must match, all of them. Not allowed together with id.',
  {
    name: 'Name of a filter of the describe call, such as tag:Name or vpc-id.',
    values: 'Accepted values. One of them must match.',
  },
] satisfies FieldText;

export const elasticIpPoolFields = {
  publicIpv4Pool: 'ID of the public IPv4 pool that you brought to AWS. It must start with ipv4pool-ec2-.',
  publicIpv4PoolFallbackOrder:
    'What to do when the pool has no free address: amazon-pool takes one from Amazon, none fails. Required with publicIpv4Pool.',
} satisfies FieldTexts;

export const capacityReservationIdText =
  'ID of the capacity reservation to launch into. Required for marketType CapacityBlock, not allowed for spot instances.';

export const marketTypeText =
  'How the instance is bought: OnDemand, Spot or CapacityBlock. Defaults to Spot if spotMarketOptions is set, otherwise to OnDemand.';

export const capacityReservationPreferenceText =
  'Which capacity reservations the instance may use: Open, None or CapacityReservationsOnly. With capacityReservationId, only the last of these is allowed.';
