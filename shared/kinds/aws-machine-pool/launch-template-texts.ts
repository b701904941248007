import type { FieldTexts } from '../../kube-api/schema/field-texts.ts';
import {
  capacityReservationIdText,
  capacityReservationPreferenceText,
  filtersText,
  instanceMetadataOptionsText,
  marketTypeText,
  nonRootVolumesText,
  privateDnsNameText,
  rootVolumeText,
  spotMarketOptionsText,
} from '../texts/aws-instance.ts';
import { amiText, imageLookupFields } from '../texts/aws-machine-spec.ts';

/** `spec.awsLaunchTemplate`. */
export const awsLaunchTemplateFields = {
  name: 'Name of the launch template. Upstream ignores it and uses the name of the AWSMachinePool.',
  iamInstanceProfile: 'Name or ARN of the IAM instance profile.',
  ami: amiText,
  ...imageLookupFields,
  instanceType: 'EC2 instance type, such as m6i.large.',
  rootVolume: rootVolumeText,
  nonRootVolumes: nonRootVolumesText,
  sshKeyName: 'Name of the EC2 key pair for SSH access. If it is absent or empty, the instances have none.',
  versionNumber: 'Stored and not acted on: the group always uses the newest version of its launch template.',
  additionalSecurityGroups: [
    "Security groups in addition to the cluster's, at most 16 items.",
    { id: 'ID of the security group.', filters: filtersText },
  ],
  spotMarketOptions: spotMarketOptionsText,
  instanceMetadataOptions: instanceMetadataOptionsText,
  enclaveOptions: ['AWS Nitro Enclaves.', { enabled: 'Whether the instance can run enclaves. Defaults to false.' }],
  privateDnsName: privateDnsNameText,
  capacityReservationId: capacityReservationIdText,
  marketType: marketTypeText,
  capacityReservationPreference: capacityReservationPreferenceText,
} satisfies FieldTexts;
