import { isObject, type JsonObject } from '../json.ts';
import { badRequest, StatusError } from '../status-error.ts';
import { INLINED } from './admission-messages.ts';
import { messageOf, messageType } from './messages.ts';

/** Every body starts with `k8s` and a zero byte. */
const MAGIC = Uint8Array.from([0x6b, 0x38, 0x73, 0x00]);

/**
 * Decodes a body of type application/vnd.kubernetes.protobuf, which kubectl 1.32 and client-go send for built-in kinds.
 * Returns the JSON that the same client would have sent. Throws a StatusError: 400 for a malformed body, 415 for a kind
 * without a known message.
 */
export const decodeProtobuf = (body: Uint8Array): JsonObject => {
  if (MAGIC.some((byte, index) => body[index] !== byte)) {
    throw badRequest('the body is not in the Kubernetes protobuf encoding');
  }
  const envelope = decodeMessage('Unknown', body.subarray(MAGIC.length));
  const { apiVersion, kind } = isObject(envelope.typeMeta) ? envelope.typeMeta : {};
  const raw = envelope.raw instanceof Uint8Array ? envelope.raw : new Uint8Array();
  const message = messageOf(String(apiVersion), String(kind));
  if (typeof kind !== 'string' || !messageType(message)) {
    const why = `the protobuf encoding of ${String(apiVersion)} ${String(kind)} is not supported, send application/json`;
    throw new StatusError(415, 'UnsupportedMediaType', why);
  }
  return { apiVersion, kind, ...readable(() => toJson(message, decodeMessage(message, raw)) as JsonObject) };
};

/** A well-formed message may still contain an invalid time or invalid JSON. */
const readable = (read: () => JsonObject): JsonObject => {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) {
      throw badRequest(`the protobuf body cannot be read: ${error.message}`);
    }
    throw error;
  }
};

const decodeMessage = (name: string, bytes: Uint8Array): JsonObject => {
  const type = messageType(name);
  if (!type) throw new Error(`no protobuf message ${name}`);
  try {
    // Fields that were not sent are omitted. An int64 becomes a number, because none of these fields exceeds the safe
    // range.
    return type.toObject(type.decode(bytes), { longs: Number });
  } catch (error) {
    throw badRequest(`the protobuf body cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** Go sends empty strings and messages for unset fields; JSON clients omit them. */
const toJson = (type: string, value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (!isObject(value)) return value;
  if (type === 'Time' || type === 'MicroTime') return timeOf(type, value);
  if (type === 'Quantity') return value.string ?? '0';
  if (type === 'FieldsV1') return value.Raw instanceof Uint8Array ? JSON.parse(Buffer.from(value.Raw).toString()) : {};
  const entries = Object.entries(value).map(([name, member]) => [name, memberToJson(type, name, member)] as const);
  return inlined(type, Object.fromEntries(entries.filter(([, member]) => member !== undefined && member !== '')));
};

const inlined = (type: string, json: JsonObject): JsonObject => {
  const field = INLINED[type];
  if (field === undefined || !isObject(json[field])) return json;
  const { [field]: inner, ...outer } = json;
  return { ...outer, ...(inner as JsonObject) };
};

const memberToJson = (message: string, name: string, member: unknown): unknown => {
  const field = messageType(message)?.fields[name];
  const type = field?.type ?? '';
  if (field?.map && isObject(member)) return mapToJson(type, member);
  return Array.isArray(member) ? member.map((item) => toJson(type, item)) : toJson(type, member);
};

/** Unlike fields, map values may be empty strings. */
const mapToJson = (type: string, map: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, toJson(type, value)]));

/** Go sends a zero time, without seconds, for an unset field. */
const timeOf = (type: string, { seconds, nanos }: JsonObject): string | undefined => {
  if (typeof seconds !== 'number') return undefined;
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  const micros = Math.floor((typeof nanos === 'number' ? nanos : 0) / 1000);
  return type === 'Time' ? `${text}Z` : `${text}.${String(micros).padStart(6, '0')}Z`;
};
