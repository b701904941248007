import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { arns, reading, statement } from './permissions.ts';

/** The EBS CSI driver puts this tag on all volumes that it creates for PersistentVolumes. */
const DRIVER_TAG = 'aws:ResourceTag/CSIVolumeName';

/** The tag of volumes and of all other resources of clusters (see shared/providers/aws/tags.ts). */
const OWNER_TAG = 'windlass.dev/cluster';

/** Deletes volumes of the driver that are tagged as a cluster's own. */
export const deletingVolumes = (): PolicyStatement =>
  statement(['ec2:DeleteVolume'], arns('ec2', ['volume']), {
    Null: { [DRIVER_TAG]: 'false', [`aws:ResourceTag/${OWNER_TAG}`]: 'false' },
  });

/** Tags volumes that have no cluster's tag yet. */
export const claimingVolumes = (): PolicyStatement[] => [
  reading('ec2', ['DescribeVolumes']),
  statement(['ec2:CreateTags'], arns('ec2', ['volume']), {
    'ForAllValues:StringEquals': { 'aws:TagKeys': [OWNER_TAG] },
    Null: { 'aws:TagKeys': 'false', [DRIVER_TAG]: 'false', [`aws:ResourceTag/${OWNER_TAG}`]: 'true' },
  }),
];
