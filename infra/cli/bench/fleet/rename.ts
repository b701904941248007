/** Copies the objects of one cluster with other names and ids. Pure. */
import { targetGroupNames } from '../../../../shared/providers/aws/load-balancer/names.ts';

/**
 * The namespace and the name of the cluster that is copied. They occur nowhere else, and they are short: longer ones
 * would make the name of a load balancer a hash.
 */
export const PATTERN = { namespace: 'tmplns', cluster: 'tmplcl' } as const;

const PORT = 6443;

const hex = (index: number, digits: number): string => index.toString(16).padStart(digits, '0');

/**
 * The ids of AWS, such as `vpc-0…` and `i-0…`. Only digits in the middle change, so that random parts at both ends
 * still distinguish them.
 */
const RESOURCE_ID = /(-0[0-9a-f]{4})[0-9a-f]{5}([0-9a-f]{7})(?![0-9a-f])/g;
const UID = /[0-9a-f]{8}(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/g;
/** The last part of a load balancer's ARN. */
const ARN_ID = /(\/[0-9a-f]{4})[0-9a-f]{5}([0-9a-f]{7})(?![0-9a-f])/g;

export interface Place {
  /** The number of the cluster; copies start at 1. */
  index: number;
  namespace: string;
  name: string;
}

/** Renames everything in a text that belongs to the copied cluster, whose uid is `uid`. */
export const renamer = (uid: string, { index, namespace, name }: Place): ((text: string) => string) => {
  const own = (text: string): string =>
    text
      .replaceAll(PATTERN.namespace, namespace)
      .replaceAll(PATTERN.cluster, name)
      .replace(RESOURCE_ID, `$1${hex(index, 5)}$2`)
      .replace(ARN_ID, `$1${hex(index, 5)}$2`)
      .replace(UID, `${hex(index, 8)}$1`);
  // Names of target groups are hashes of the cluster's uid.
  const [before, after] = [uid, own(uid)].map((one) => targetGroupNames(one, PORT, true));
  const names = (before ?? []).map((old, attempt) => [old, after?.[attempt] ?? old] as const);
  return (text) => names.reduce((renamed, [old, next]) => renamed.replaceAll(old, next), own(text));
};

/** A copy in which all texts are renamed, including the keys of maps. Bytes do not change. */
export const renamed = <T>(value: T, rename: (text: string) => string): T => {
  const copy = (one: unknown): unknown => {
    if (typeof one === 'string') return rename(one);
    if (one instanceof Uint8Array || typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) return one.map(copy);
    if (one instanceof Map) return new Map([...one].map(([key, held]) => [copy(key), copy(held)]));
    if (one instanceof Set) return new Set([...one].map(copy));
    return Object.fromEntries(Object.entries(one).map(([key, held]) => [key, copy(held)]));
  };
  return copy(value) as T;
};
