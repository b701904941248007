import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { arns, reading, statement } from './permissions.ts';

/** The tag that the EBS CSI driver gives to all volumes that it makes for PersistentVolumes. */
const DRIVER_TAG = 'aws:ResourceTag/CSIVolumeName';

/** Of volumes, and of all that clusters own; see shared/providers/aws/tags.ts. */
const OWNER_TAG = 'windlass.dev/cluster';

/** The driver's volumes that a cluster has claimed. */
export const deletingVolumes = (): PolicyStatement =>
  statement(['ec2:DeleteVolume'], arns('ec2', ['volume']), {
    Null: { [DRIVER_TAG]: 'false', [`aws:ResourceTag/${OWNER_TAG}`]: 'false' },
  });

/** Claiming those that no cluster has claimed. */
export const claimingVolumes = (): PolicyStatement[] => [
  reading('ec2', ['DescribeVolumes']),
  statement(['ec2:CreateTags'], arns('ec2', ['volume']), {
    'ForAllValues:StringEquals': { 'aws:TagKeys': [OWNER_TAG] },
    Null: { 'aws:TagKeys': 'false', [DRIVER_TAG]: 'false', [`aws:ResourceTag/${OWNER_TAG}`]: 'true' },
  }),
];
