import { createHash } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import type { AWSCluster } from '../../../kinds/index.ts';
import type { ClusterName } from '../tags.ts';
import { type BalancerRole, balancerRecordOf, balancerSpecOf } from './roles.ts';

/** Elastic Load Balancing allows letters, digits and hyphens, and at most this many characters. */
const MAX_NAME = 32;

const SUFFIX = '-k8s';

/** AWS refuses names of network load balancers with this prefix. */
const RESERVED = 'internal-';

const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';

const toBase36 = (bytes: Uint8Array): string => [...bytes].map((byte) => BASE36[byte % 36]).join('');

/**
 * Upstream's rule: `<of>-apiserver`, or if that is too long, a hash of the part before the hyphen (CAPA pkg/hash: one
 * character for each byte of a BLAKE2b digest) followed by `-k8s`. Here the hash is also used for names that AWS
 * refuses.
 */
const generatedName = (of: string, isClassic: boolean): string => {
  const full = `${of}-apiserver`.replaceAll('.', '-');
  if (full.length <= MAX_NAME && (isClassic || !full.startsWith(RESERVED))) return full;
  return toBase36(blake2b(new TextEncoder().encode(of), { dkLen: MAX_NAME - SUFFIX.length })) + SUFFIX;
};

/**
 * The name of an API's load balancer: the user's, its current one, or upstream's. Upstream derives the name of a
 * classic one from the cluster's name only, so clusters with the same name in two namespaces collide. A second load
 * balancer always has a name from the spec.
 */
export const loadBalancerName = (
  { namespace, name }: ClusterName,
  awsCluster: AWSCluster | undefined,
  role: BalancerRole = 'primary',
): string => {
  const spec = awsCluster && balancerSpecOf(awsCluster, role);
  const named = spec?.name ?? balancerRecordOf(awsCluster, role)?.name;
  if (named) return named;
  const isClassic = spec?.loadBalancerType === 'classic';
  return generatedName(isClassic ? name : `${namespace}-${name}`, isClassic);
};

/** The number of possible names of a target group: the first choices of two clusters can collide. */
const CANDIDATES = 4;

/**
 * The possible names of a listener's target group, in order of preference. Upstream chooses the last five characters at
 * random. Here they are derived from the cluster and the port, so that a group is found again after a crash.
 */
export const targetGroupNames = (
  clusterUid: string,
  port: number,
  isApi: boolean,
  role: BalancerRole = 'primary',
): string[] =>
  Array.from({ length: CANDIDATES }, (_, attempt) => {
    const seed = `${clusterUid} ${port} ${attempt}${role === 'primary' ? '' : ` ${role}`}`;
    const digest = createHash('sha256').update(seed).digest();
    return `${isApi ? 'apiserver-target' : 'additional-listener'}-${toBase36(digest.subarray(0, 5))}`;
  });
