import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { isNoBucket } from '../../../aws/errors.ts';

/** The location of one machine's bootstrap data. */
export interface ObjectPlace {
  bucket: string;
  key: string;
}

/**
 * The objects with which bootstrap data reach a machine with Ignition; see
 * shared/providers/aws/plan/delivery/ignition.ts.
 */
export interface BootstrapObjects {
  /** Writes the object, encrypted with a key of KMS. */
  put(object: ObjectPlace & { body: Uint8Array }): Promise<void>;
  /** A URL with which anyone can read the object for this many seconds. It is as secret as the object itself. */
  presign(object: ObjectPlace & { seconds: number }): Promise<string>;
  /** Deletes the object. Succeeds if the object or its bucket is gone. */
  delete(object: ObjectPlace): Promise<void>;
}

/** The port, implemented with Amazon S3. */
export const createBootstrapObjects = (client: S3Client): BootstrapObjects => ({
  put: async ({ bucket, key, body }) => {
    const input = { Bucket: bucket, Key: key, Body: body, ServerSideEncryption: 'aws:kms' as const };
    await client.send(new PutObjectCommand(input));
  },
  presign: ({ bucket, key, seconds }) =>
    getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: seconds }),
  delete: async ({ bucket, key }) => {
    try {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    } catch (error) {
      if (!isNoBucket(error)) throw error;
    }
  },
});
