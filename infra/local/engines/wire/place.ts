import type { Clock } from '../../../../shared/clock.ts';
import type { Random } from '../../../../shared/random.ts';

/** The region and account of a simulated service. */
export interface Place {
  /** Twelve digits. */
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** The ARN of a resource of this account and region, for example `arn:aws:kms:us-east-1:000000000000:key/...`. */
export const arnOf = (place: Pick<Place, 'accountId' | 'region'>, service: string, resource: string): string =>
  `arn:aws:${service}:${place.region}:${place.accountId}:${resource}`;

/** `length` random hexadecimal digits. */
export const randomHex = (random: Random, length: number): string =>
  Buffer.from(random.bytes(Math.ceil(length / 2)))
    .toString('hex')
    .slice(0, length);
