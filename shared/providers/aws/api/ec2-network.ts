import type { EC2Client } from '@aws-sdk/client-ec2';
import { type Ec2Bastion, ec2Bastion } from './ec2-bastion.ts';
import { type Ec2NetworkExtraReads, ec2NetworkExtraReads } from './ec2-network-extra-reads.ts';
import { type Ec2NetworkExtraWrites, ec2NetworkExtraWrites } from './ec2-network-extra-writes.ts';
import { type Ec2NetworkReads, ec2NetworkReads } from './ec2-network-reads.ts';
import { type Ec2NetworkWrites, ec2NetworkWrites } from './ec2-network-writes.ts';
import { type Ec2Volumes, ec2Volumes } from './ec2-volumes.ts';

/** The part of EC2 that networks are made of. */
export interface Ec2Network
  extends Ec2NetworkReads,
    Ec2NetworkWrites,
    Ec2NetworkExtraReads,
    Ec2NetworkExtraWrites,
    Ec2Bastion,
    Ec2Volumes {}

/**
 * The port over SDK clients. `writer` should make one attempt only (maxAttempts 1): the SDK's own retry of a creation
 * whose answer was lost would make a second resource, where the steps look first.
 */
export const createEc2Network = (reader: EC2Client, writer: EC2Client): Ec2Network => ({
  ...ec2NetworkReads(reader),
  ...ec2NetworkExtraReads(reader),
  ...ec2NetworkWrites(writer),
  ...ec2Bastion(reader, writer),
  ...ec2Volumes(reader, writer),
  ...ec2NetworkExtraWrites(writer),
});
