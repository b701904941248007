import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createObjectDeletion, type ObjectDeletion, type ObjectPlace } from './object-deletion.ts';

/**
 * The objects with which bootstrap data reach a machine with Ignition; see
 * shared/providers/aws/plan/delivery/ignition.ts.
 */
export interface BootstrapObjects extends ObjectDeletion {
  /** Writes the object, encrypted with a key of KMS. */
  put(object: ObjectPlace & { body: Uint8Array }): Promise<void>;
  /** A URL with which anyone can read the object for this many seconds. It is as secret as the object itself. */
  presign(object: ObjectPlace & { seconds: number }): Promise<string>;
}

/** The port, implemented with Amazon S3. */
export const createBootstrapObjects = (client: S3Client): BootstrapObjects => ({
  put: async ({ bucket, key, body }) => {
    const input = { Bucket: bucket, Key: key, Body: body, ServerSideEncryption: 'aws:kms' as const };
    await client.send(new PutObjectCommand(input));
  },
  presign: ({ bucket, key, seconds }) =>
    getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: seconds }),
  ...createObjectDeletion(client),
});
