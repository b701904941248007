import { AwsFault } from '../wire/fault.ts';
import { arnOf, type Place } from '../wire/place.ts';

export type KeyState = 'Enabled' | 'Disabled' | 'PendingDeletion';

export interface Key {
  /** A UUID. */
  readonly id: string;
  readonly arn: string;
  readonly description: string;
  readonly createdAt: Date;
  /** 32 bytes that never leave the account. */
  readonly material: Uint8Array;
  state: KeyState;
  deletionDate: Date | undefined;
}

/** The operations that another principal may use with a key. */
export interface Grant {
  readonly id: string;
  readonly grantee: string;
  readonly operations: readonly string[];
}

/** The keys of one region. */
export interface Kms {
  readonly place: Place;
  readonly keys: Map<string, Key>;
  /** By the id of the key; stored but not enforced. Keys without an entry have the default policy. */
  readonly policies: Map<string, string>;
  readonly grants: Map<string, readonly Grant[]>;
}

export const createKms = (place: Place): Kms => ({ place, keys: new Map(), policies: new Map(), grants: new Map() });

/** Creates a symmetric encryption key. */
export const addKey = ({ place, keys }: Kms, description: string): Key => {
  const id = place.random.uuid();
  const key: Key = {
    id,
    arn: arnOf(place, 'kms', `key/${id}`),
    description,
    createdAt: place.clock.now(),
    material: place.random.bytes(32),
    state: 'Enabled',
    deletionDate: undefined,
  };
  keys.set(id, key);
  return key;
};

const isDead = ({ deletionDate }: Key, now: Date): boolean => deletionDate !== undefined && deletionDate <= now;

/** The key with an id or ARN. Throws NotFoundException. */
export const getKey = ({ place, keys }: Kms, idOrArn: string | undefined): Key => {
  const prefix = arnOf(place, 'kms', 'key/');
  const id = idOrArn?.startsWith(prefix) ? idOrArn.slice(prefix.length) : (idOrArn ?? '');
  const key = keys.get(id);
  if (!key || isDead(key, place.clock.now()))
    throw new AwsFault(
      'NotFoundException',
      `Key '${idOrArn?.startsWith('arn:') ? idOrArn : prefix + id}' does not exist`,
    );
  return key;
};

/** The key, if it may be used. Throws NotFoundException, DisabledException or KMSInvalidStateException. */
export const getUsableKey = (kms: Kms, idOrArn: string | undefined): Key => {
  const key = getKey(kms, idOrArn);
  if (key.state === 'Disabled') throw new AwsFault('DisabledException', `${key.arn} is disabled.`);
  if (key.state === 'PendingDeletion')
    throw new AwsFault('KMSInvalidStateException', `${key.arn} is pending deletion.`);
  return key;
};
