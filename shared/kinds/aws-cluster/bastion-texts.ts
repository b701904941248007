import type { FieldTexts } from '../../kube-api/schema/field-texts.ts';
import {
  cpuOptionsText,
  instanceMetadataOptionsText,
  nonRootVolumesText,
  privateDnsNameText,
  rootVolumeText,
  spotMarketOptionsText,
} from '../texts/aws-instance.ts';
import { instanceAddressFields } from '../texts/aws-status.ts';

/** Fields of upstream's type for instances that do not apply to a bastion. */
const unreported = {
  spotMarketOptions: ['Spot market options. Not reported.', spotMarketOptionsText[1]],
  placementGroupName: 'Placement group of the instance. Not reported.',
  placementGroupPartition: 'Partition of the placement group. Not reported.',
  instanceMetadataOptions: [
    'Settings of the instance metadata service. Not reported: a bastion always requires tokens and has a hop limit of 1.',
    instanceMetadataOptionsText[1],
  ],
  privateDnsName: ['Private DNS name of the instance. Not reported.', privateDnsNameText[1]],
  capacityReservationId: 'Capacity reservation of the instance. Not reported.',
  marketType: 'How the instance was bought. Not reported: a bastion is an on-demand instance.',
  dynamicHostAllocation: [
    'Dedicated Host that was allocated for the instance. Not reported.',
    { tags: 'Tags of the Dedicated Host. Not reported.' },
  ],
  capacityReservationPreference: 'Capacity reservations that the instance may use. Not reported.',
  cpuOptions: ['CPU features of the instance. Not reported.', cpuOptionsText[1]],
  assignPrimaryIPv6: 'Whether the primary interface has a primary IPv6 address. Not reported.',
  rootVolume: ['Root volume of the instance. Not reported: it is always encrypted.', rootVolumeText[1]],
  nonRootVolumes: ['Additional volumes. Not reported: a bastion has none.', nonRootVolumesText[1]],
  userData: 'User data of the instance. Not reported: a bastion has none.',
  iamProfile: 'IAM instance profile. Not reported: a bastion has none.',
  addresses: [
    'Addresses of the instance. Not reported; see privateIp, publicIp and ipv6Address.',
    instanceAddressFields,
  ],
  enaSupport: 'Whether enhanced networking is enabled. Not reported.',
  ebsOptimized: 'Whether the instance is optimized for EBS. Not reported.',
  networkInterfaces: 'IDs of the network interfaces. Not reported.',
  networkInterfaceType: 'Type of the primary network interface. Not reported.',
  tags: 'Tags of the instance. Not reported.',
  tenancy: 'Hardware that the instance runs on. Not reported.',
  volumeIDs: 'IDs of the volumes. Not reported.',
  publicIPOnLaunch: 'Whether a public address was requested at launch. Not reported: a bastion always has one.',
  hostAffinity: 'Whether the instance restarts on the same Dedicated Host. Not reported.',
  hostID: 'ID of the Dedicated Host. Not reported.',
} satisfies FieldTexts;

/** `status.bastion`. */
export const bastionStatusFields = {
  ...unreported,
  id: 'ID of the instance.',
  instanceState: 'State of the instance as EC2 names it, such as pending or running.',
  type: 'Instance type.',
  subnetId: 'ID of the subnet.',
  imageId: 'ID of the image that the instance was launched from.',
  sshKeyName: 'Name of the key pair that people log in with.',
  securityGroupIds: 'IDs of the security groups.',
  availabilityZone: 'Zone of the instance.',
  privateIp: 'Private IPv4 address.',
  publicIp: 'Public IPv4 address.',
  ipv6Address: 'IPv6 address, if the subnet has IPv6.',
} satisfies FieldTexts;
