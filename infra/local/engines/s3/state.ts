import type { Place } from '../wire/place.ts';

export interface StoredObject {
  readonly body: Buffer;
  readonly modifiedAt: Date;
  readonly encryption: string | undefined;
}

export interface Bucket {
  readonly name: string;
  readonly region: string;
  readonly createdAt: Date;
  /** The owner if it is another account, because all accounts share the names; undefined for the account's own. */
  readonly ownerId?: string;
  tags: ReadonlyMap<string, string>;
  policy: string | undefined;
  readonly objects: Map<string, StoredObject>;
}

/** The buckets of an account; their names are visible in all regions. */
export interface S3 {
  readonly place: Pick<Place, 'accountId' | 'clock' | 'random'>;
  readonly buckets: Map<string, Bucket>;
}

export const createS3 = (place: S3['place']): S3 => ({ place, buckets: new Map() });
