import { createHash } from 'node:crypto';
import type { KubeObject } from '../../kube-api/object.ts';
import type { Retry } from './retry.ts';

/**
 * The record on the infrastructure cluster of the state for which a duty was completed. The sweep compares it to find
 * out, without querying the cloud, whether there is anything to do.
 */
export type DutyEntry = 'windlass.dev/services' | 'windlass.dev/routes';

/** A hash of any value that JSON can represent. */
export const digestOf = (facts: unknown): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);

const untilNextHour = (digest: string): string => `${digest}-hourly`;

/**
 * The record of a pass after which these retries are due; undefined if nothing is recorded, so that the next sweep
 * requests a pass.
 */
export const memoryOf = (digest: string, retries: readonly Retry[]): string | undefined => {
  if (retries.includes('soon')) return undefined;
  return retries.includes('hourly') ? untilNextHour(digest) : digest;
};

/** Undefined if the duty was not completed or nothing was ever checked. */
export const settledDuty = (
  infrastructure: Pick<KubeObject, 'metadata'> | null | undefined,
  entry: DutyEntry,
): string | undefined => infrastructure?.metadata.annotations?.[entry];

/** Whether the duty needs a pass. `isHourly`: the hourly retries are due. */
export const isDutyNews = (
  infrastructure: Pick<KubeObject, 'metadata'>,
  entry: DutyEntry,
  digest: string,
  isHourly: boolean,
): boolean => {
  const settled = settledDuty(infrastructure, entry);
  return settled !== digest && (isHourly || settled !== untilNextHour(digest));
};

/** The infrastructure cluster with the entry; undefined if it already has it. */
export const withSettledDuty = <T extends KubeObject>(
  infrastructure: T,
  entry: DutyEntry,
  digest: string | undefined,
): T | undefined => {
  if (settledDuty(infrastructure, entry) === digest) return undefined;
  const { [entry]: _, ...others } = infrastructure.metadata.annotations ?? {};
  const annotations = { ...others, ...(digest === undefined ? {} : { [entry]: digest }) };
  return { ...infrastructure, metadata: { ...infrastructure.metadata, annotations } };
};
