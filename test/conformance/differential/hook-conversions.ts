import { isObject, type JsonObject } from '../../../shared/kube-api/json.ts';

/**
 * The conversions of the webhook server, between `{ address: 'a:1' }` in v1beta1 and `{ host: 'a', port: 1 }` in v1. An
 * annotation of the object selects a fault: `conversion: <fault>` in the conversion to v1beta1, and `conversion-back:
 * <fault>` in that to v1.
 */

type Converted = JsonObject & { metadata: JsonObject };

const metadataOf = ({ metadata }: JsonObject): JsonObject => (isObject(metadata) ? metadata : {});

const toV1 = ({ address, size: _, ...spec }: JsonObject): JsonObject => {
  if (typeof address !== 'string') return spec;
  const [host = '', port = ''] = address.split(':');
  return { ...spec, host, ...(port === '' ? {} : { port: Number(port) }) };
};

const toV1beta1 = ({ host, port, ...spec }: JsonObject): JsonObject => {
  if (host === undefined && port === undefined) return spec;
  return { ...spec, address: `${host ?? ''}${port === undefined ? '' : `:${port}`}` };
};

const convert = (object: JsonObject, desired: string): Converted => {
  const spec = isObject(object.spec) ? object.spec : {};
  const change = desired.endsWith('/v1') ? toV1 : toV1beta1;
  return {
    ...object,
    apiVersion: desired,
    metadata: metadataOf(object),
    ...(object.spec === undefined ? {} : { spec: change(spec) }),
  };
};

const faultOf = (object: unknown, desired: string): string => {
  const { annotations } = metadataOf(isObject(object) ? object : {});
  const name = desired.endsWith('/v1') ? 'conversion-back' : 'conversion';
  return isObject(annotations) ? String(annotations[name] ?? '') : '';
};

const withMetadata = (more: JsonObject) => (object: Converted) => ({
  ...object,
  metadata: { ...object.metadata, ...more },
});

/** Incorrectly converted objects. */
const SPOILED: Readonly<Record<string, (object: Converted) => unknown>> = {
  unknown: (object) => ({ ...object, spec: { address: 'a:1', unknown: 'dropped' } }),
  name: withMetadata({ name: 'other' }),
  namespace: withMetadata({ namespace: 'other' }),
  uid: withMetadata({ uid: 'other' }),
  version: (object) => ({ ...object, apiVersion: 'other/v1' }),
  kind: (object) => ({ ...object, kind: 'Other' }),
  'no-metadata': ({ metadata: _, ...object }) => object,
  'metadata-text': (object) => ({ ...object, metadata: 'text' }),
  'bad-label': withMetadata({ labels: { 'a b': 'c' } }),
  'number-label': withMetadata({ labels: { a: 1 } }),
  'labels-text': withMetadata({ labels: 'a' }),
  'bad-annotation': withMetadata({ annotations: { 'a b': 'c' } }),
  'other-metadata': withMetadata({
    labels: { by: 'webhook' },
    finalizers: ['example.com/a'],
    generation: 77,
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'b' }],
    creationTimestamp: null,
  }),
};

/** Incorrect fields of the response as a whole. */
const RESPONSES: Readonly<Record<string, JsonObject>> = {
  fail: { result: { status: 'Failure', message: 'it cannot be converted' } },
  'fail-silently': { result: { status: 'Failure' } },
  'no-result': { result: undefined },
  nothing: { convertedObjects: [] },
  'other-uid': { uid: 'other' },
};

/** The answer to a ConversionReview, including the fault that an object selects. */
export const convertAll = (review: JsonObject): { code: number; body: string } => {
  const request = review.request as { uid: string; desiredAPIVersion: string; objects: JsonObject[] };
  const { uid, desiredAPIVersion: desired, objects } = request;
  const faults = objects.map((object) => faultOf(object, desired));
  const converted = objects.map((object, index) => {
    const whole = convert(object, desired);
    return SPOILED[faults[index] ?? '']?.(whole) ?? whole;
  });
  if (faults.includes('error')) return { code: 500, body: 'broken' };
  const head = { apiVersion: review.apiVersion, kind: 'ConversionReview' };
  if (faults.includes('no-response')) return { code: 200, body: JSON.stringify(head) };
  if (faults.includes('other-review')) {
    const other = { ...head, apiVersion: 'apiextensions.k8s.io/v1beta1', response: { uid } };
    return { code: 200, body: JSON.stringify(other) };
  }
  const more = RESPONSES[faults.find((fault) => fault in RESPONSES) ?? ''];
  const response = { uid, convertedObjects: converted, result: { status: 'Success' }, ...more };
  return { code: 200, body: JSON.stringify({ ...head, response }) };
};
