import { createKmsClient } from '../shared/aws/clients/kms.ts';
import { createKmsSealer, type Sealer } from '../shared/store/objects/sealer.ts';

/** A sealer whose data keys are encrypted with the KMS key `keyArn`. */
export const kmsSealer = (keyArn: string): Sealer =>
  createKmsSealer({ keyArn, kms: (region) => createKmsClient({ region }) });
