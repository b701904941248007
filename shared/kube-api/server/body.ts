import { findPrototypeKey, isDeeperThan } from '../json.ts';
import { badRequest, StatusError } from '../status-error.ts';
import { findDuplicateKeys, inJsonWords, inYamlWords, MAX_DUPLICATES } from './duplicate-keys.ts';
import { mayHoldLarge, refuseRounded, withNumbers } from './large-integers.ts';

/** etcd's request limit, with upstream's allowance for encodings. */
const MAX_BYTES = 3 * 1024 * 1024;

/** Go's decoder accepts ten times this depth, but values that are read here are processed recursively. */
const MAX_DEPTH = 1000;

/** A short document could otherwise grow without bound. */
const MAX_YAML_ALIASES = 50;

/** The limit for a review, which only has a few names. */
export const MAX_REVIEW_BYTES = 64 * 1024;

export const mediaTypeOf = (request: Request): string =>
  (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** A parsed body. */
export interface Document {
  /** As JSON values; undefined if the body is empty. */
  value: unknown;
  /** Reports keys that occur twice in the text; the last one is used. */
  findDuplicates(): string[];
}

const withoutDuplicates = (value: unknown): Document => ({ value, findDuplicates: () => [] });

export const readBody = async (request: Request, maxBytes: number = MAX_BYTES): Promise<unknown> =>
  (await readDocument(request, maxBytes)).value;

/**
 * The body of a request. Reads JSON, YAML, and the protobuf of built-in kinds. Throws a StatusError: 400 for unreadable
 * content, 413 for too much, 415 for another media type.
 */
export const readDocument = async (request: Request, maxBytes: number = MAX_BYTES): Promise<Document> => {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return withoutDuplicates(undefined);
  const type = mediaTypeOf(request);
  if (type === 'application/vnd.kubernetes.protobuf') return withoutDuplicates(guarded(await readProtobuf(bytes)));
  const text = decodeText(bytes);
  // The API server treats a missing type as JSON.
  if (['', 'application/json'].includes(type)) return parseJson(text);
  if (['application/yaml', 'application/x-yaml', 'text/yaml'].includes(type)) return parseYaml(text);
  throw unsupportedMediaType(['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']);
};

export const unsupportedMediaType = (accepted: readonly string[]): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

export const readJsonBody = async (request: Request): Promise<Document> =>
  parseJson(decodeText(await readBytes(request)));

/** The body of an apply: YAML, which kubectl sends as JSON. The faster parser is tried first. */
export const readApplyBody = async (request: Request): Promise<Document> => {
  const text = new TextDecoder().decode(await readBytes(request));
  return /^\s*\{/.test(text) ? parseJsonOrYaml(text) : parseYaml(text);
};

/** Keeps a byte order mark, because JSON must not begin with one, while YAML may. */
const decodeText = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

const tooLarge = (maxBytes: number): string => `Request entity too large: limit is ${maxBytes}`;

/** The response to a request with a body that is too large. */
export const BODY_TOO_LARGE = tooLarge(MAX_BYTES);

const readBytes = async (request: Request, maxBytes: number = MAX_BYTES): Promise<Uint8Array> => {
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length <= maxBytes) return bytes;
  throw new StatusError(413, 'RequestEntityTooLarge', tooLarge(maxBytes));
};

const parseJson = (text: string): Document => {
  try {
    const value = guarded(JSON.parse(text));
    refuseRounded(text);
    return { value, findDuplicates: () => findDuplicateKeys(text).map(inJsonWords) };
  } catch (error) {
    if (error instanceof SyntaxError) throw unreadable('JSON', withoutDocument(error));
    throw error;
  }
};

const parseJsonOrYaml = async (text: string): Promise<Document> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // YAML in braces, or neither of the two: then the message is that of the declared format.
    return parseYaml(text);
  }
  guarded(value);
  refuseRounded(text);
  return { value, findDuplicates: () => findDuplicateKeys(text).map(inYamlWords) };
};

/** Few bodies are protobuf or YAML, so their decoders are loaded for the first one and not at each cold start. */
const readProtobuf = async (bytes: Uint8Array): Promise<unknown> =>
  (await import('../protobuf/decode.ts')).decodeProtobuf(bytes);

const parseYaml = async (text: string): Promise<Document> => {
  const { readYamlDocument } = await import('../../decode/yaml-documents.ts');
  const intAsBigInt = mayHoldLarge(text);
  const document = orUnreadable('it is nested too deeply', () =>
    readYamlDocument(text, { intAsBigInt }, MAX_YAML_ALIASES),
  );
  const [fault] = document.faults;
  if (fault) throw unreadable('YAML', `${fault.code} in line ${fault.line}`);
  const read = document.read();
  if (read.problem !== undefined) throw unreadable('YAML', YAML_PROBLEMS[read.problem]);
  const value = guarded(read.value);
  return {
    value: intAsBigInt ? withNumbers(value) : value,
    findDuplicates: () => document.duplicates.slice(0, MAX_DUPLICATES).map(inYamlWords),
  };
};

const YAML_PROBLEMS = {
  BAD_ALIAS: 'an alias leads nowhere, or there are too many',
  COLLECTION_KEY: 'a key is a list or a map',
  TOO_DEEP: 'it is nested too deeply',
};

/** The library's errors quote parts of the document. */
const orUnreadable = <T>(problem: string, read: () => T): T => {
  try {
    return read();
  } catch {
    throw unreadable('YAML', problem);
  }
};

/** `problem` quotes nothing of the document, which may contain secrets. */
const unreadable = (format: string, problem: string): StatusError =>
  badRequest(`the body of the request is not valid ${format}: ${problem}`);

/** V8 quotes the document after the first quotation mark in its message; the error precedes it. */
const withoutDocument = ({ message }: SyntaxError): string =>
  (message.split('\n')[0] ?? '').replace(/, ".*|(\.\.\.)?".*/s, '');

const guarded = (value: unknown): unknown => {
  if (isDeeperThan(value, MAX_DEPTH))
    throw badRequest('the body of the request is nested too deeply: exceeded max depth');
  const path = findPrototypeKey(value);
  if (path !== undefined) throw badRequest(`field name "__proto__" is not allowed: ${path}`);
  return value;
};
