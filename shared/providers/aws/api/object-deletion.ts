import { DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { isNoBucket } from '../../../aws/errors.ts';

/** The location of one machine's bootstrap data. */
export interface ObjectPlace {
  bucket: string;
  key: string;
}

/** The deletion of a machine's bootstrap data in S3. */
export interface ObjectDeletion {
  /** Deletes the object. Succeeds if the object or its bucket is gone. */
  delete(object: ObjectPlace): Promise<void>;
}

/** The port, implemented with Amazon S3. */
export const createObjectDeletion = (client: S3Client): ObjectDeletion => ({
  delete: async ({ bucket, key }) => {
    try {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    } catch (error) {
      if (!isNoBucket(error)) throw error;
    }
  },
});
