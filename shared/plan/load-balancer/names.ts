import { createHash } from 'node:crypto';
import type { ClusterName } from '../../aws/tags.ts';
import { blake2b } from './blake2b.ts';

/** ELBv2 allows letters, digits and hyphens in at most so many characters. */
const MAX_NAME = 32;

const SUFFIX = '-k8s';

const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';

const toBase36 = (bytes: Uint8Array): string => [...bytes].map((byte) => BASE36[byte % 36]).join('');

/**
 * Upstream's name of the API's load balancer: `<namespace>-<cluster>-apiserver`, or where that is too long a hash of it
 * (CAPA pkg/hash: one character for each byte of a BLAKE2b digest) with `-k8s` behind it.
 */
export const loadBalancerName = ({ namespace, name }: ClusterName): string => {
  const full = `${namespace}-${name}-apiserver`.replaceAll('.', '-');
  if (full.length <= MAX_NAME) return full;
  return toBase36(blake2b(new TextEncoder().encode(full), MAX_NAME - SUFFIX.length)) + SUFFIX;
};

/** How many names a target group may have: two clusters' first choices can meet. */
const CANDIDATES = 4;

/**
 * The names that the target group of a listener may have, in order of preference. Upstream draws the last five characters
 * at random; here they follow from the cluster and the port, so that a group is found again after a crash.
 */
export const targetGroupNames = (clusterUid: string, port: number, isApi: boolean): string[] =>
  Array.from({ length: CANDIDATES }, (_, attempt) => {
    const digest = createHash('sha256').update(`${clusterUid} ${port} ${attempt}`).digest();
    return `${isApi ? 'apiserver-target' : 'additional-listener'}-${toBase36(digest.subarray(0, 5))}`;
  });
