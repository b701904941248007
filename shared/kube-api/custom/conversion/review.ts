import { findPrototypeKey, isDeeperThan, isObject, type JsonObject } from '../../json.ts';
import type { KubeObject } from '../../object.ts';
import { checkConverted, withMetadataOf } from './converted.ts';
import { ConversionError } from './error.ts';

/** apiextensions.k8s.io ConversionReview: the requests to conversion webhooks, and the responses that they may give. */

const GROUP = 'apiextensions.k8s.io';

/** Both have the same members. */
const KNOWN_VERSIONS = ['v1', 'v1beta1'];

/** Names of an object's type as upstream prints them. */
export const typeOf = ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): string =>
  `${apiVersion}, Kind=${kind}`;

export interface Conversion {
  uid: string;
  /** The version of the review for the webhook: the first one in its list that is supported here. */
  version: string;
  objects: readonly KubeObject[];
  apiVersion: string;
}

/** Undefined if the webhook supports none of the versions that are supported here. */
export const reviewVersionOf = (versions: readonly string[] = []): string | undefined =>
  versions.find((version) => KNOWN_VERSIONS.includes(version));

export const reviewOf = ({ uid, version, objects, apiVersion }: Conversion): JsonObject => ({
  kind: 'ConversionReview',
  apiVersion: `${GROUP}/${version}`,
  request: { uid, desiredAPIVersion: apiVersion, objects },
});

/** Messages of a webhook are shown to clients up to this length. */
const LONGEST_MESSAGE = 1024;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, LONGEST_MESSAGE) : '');

const shownType = ({ apiVersion, kind }: JsonObject): string => {
  const version = textOf(apiVersion);
  return `${version.includes('/') ? version : `/${version}`}, Kind=${textOf(kind)}`;
};

/** The objects of a response. If it is not valid, throws through `refuse`, with the reason in upstream's words. */
const objectsIn = (body: unknown, { uid, version }: Conversion, refuse: (why: string) => Error): unknown[] => {
  const review = isObject(body) ? body : {};
  const expected = `${GROUP}/${version}, Kind=ConversionReview`;
  const found = shownType(review);
  // Upstream does not check the apiVersion and kind of responses in v1beta1.
  const isChecked = version !== 'v1beta1';
  if (isChecked && found !== expected) throw refuse(`expected webhook response of ${expected}, got ${found}`);
  const { response } = review;
  if (!isObject(response)) throw refuse('no response provided');
  if (isChecked && response.uid !== uid) {
    throw refuse(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(textOf(response.uid))}`);
  }
  const result = isObject(response.result) ? response.result : {};
  if (result.status !== 'Success') {
    throw refuse(textOf(result.message) || `response.result.status was '${textOf(result.status)}', not 'Success'`);
  }
  return Array.isArray(response.convertedObjects) ? response.convertedObjects : [];
};

/** The same limit as for bodies of requests: values are processed recursively. */
const MAX_DEPTH = 1000;

const isUsable = (value: unknown): value is JsonObject =>
  isObject(value) && !isDeeperThan(value, MAX_DEPTH) && findPrototypeKey(value) === undefined;

/**
 * The converted objects in a response, with the metadata of those that were sent, except for labels and annotations
 * (k8s.io/apiextensions-apiserver, conversion/webhook_converter.go). Throws a ConversionError.
 */
export const readConverted = (body: unknown, conversion: Conversion): KubeObject[] => {
  const { objects, apiVersion } = conversion;
  const [first] = objects;
  const start = `conversion webhook for ${first ? typeOf(first) : ''}`;
  const converted = objectsIn(body, conversion, (why) => new ConversionError(`${start} failed: ${why}`));
  if (converted.length !== objects.length) {
    throw new ConversionError(`${start} returned ${converted.length} objects, expected ${objects.length}`);
  }
  return objects.map((original, index) => {
    const object = converted[index];
    if (!isUsable(object)) throw new ConversionError(`${start} returned an object at index ${index} that is none`);
    const mismatch = checkConverted(original, object, apiVersion);
    if (mismatch) throw new ConversionError(`${start} ${mismatch(index)}`);
    const restored = withMetadataOf(original, object);
    if ('fault' in restored) throw new ConversionError(`${start} returned invalid metadata: ${restored.fault}`);
    return restored.object;
  });
};
