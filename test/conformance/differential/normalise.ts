import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../../shared/kube-api/json.ts';
import type { Answered } from './endpoint.ts';

/**
 * Replaces values in the answers of one scenario that may differ between two servers: ids, times, versions, random
 * parts of names, opaque tokens, and the order of what Go keeps in maps. Each value is named by the order in which it
 * first occurs in the scenario, so that equal values remain recognizable.
 */
export const createNormaliser = (): ((answer: Answered) => Answered) => {
  const uids = createNames('uid');
  const versions = createNames('version');
  const renamed = new Map<string, string>();

  const learn = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(learn);
    if (!isObject(value)) return;
    const { metadata } = value;
    if (isObject(metadata)) learnName(renamed, metadata);
    if (isObject(value.details)) learnRefusedName(renamed, value.details);
    Object.values(value).forEach(learn);
  };

  const text = (value: string): string => {
    const known = [...renamed].reduce((result, [from, to]) => result.replaceAll(from, to), value);
    return known
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (uid) => `<${uids(uid)}>`)
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (time) => (isRecent(time) ? '<time>' : time))
      .replace(/(?<=Too large resource version: \d+, current: )\d+/g, '<version>')
      .replace(/^127\.0\.0\.1:\d+$/, '<address>')
      .replace(/https:\/\/127\.0\.0\.1:\d+/g, '<webhooks>')
      .replace(/(?<=ResourceVersion in (?:object meta: |record \())\d+/g, (version) => `<${versions(version)}>`);
  };

  const member = (key: string, value: string, parent: JsonObject): string => {
    if (key === 'continue' && value !== '') return '<continue>';
    if (key === 'cells' && /^(\d+[smhdy])+$/.test(value)) return '<age>';
    if (key !== 'resourceVersion' || value === '') return text(value);
    // On one server, a list's version is that of the whole storage; on the other, it is that of a kind.
    return isListMetadata(parent) ? '<list>' : `<${versions(value)}>`;
  };

  const visit = (value: unknown, key: string, parent: JsonObject): unknown => {
    if (Array.isArray(value)) return inOrder(key, value).map((item) => visit(item, key, parent));
    if (isObject(value)) return visitObject(value);
    return typeof value === 'string' ? member(key, value, parent) : value;
  };

  /** Visits the keys in sorted order, so that ids occur in the same order for both servers. */
  const visitObject = (value: JsonObject): JsonObject => {
    const keys = Object.keys(value).toSorted();
    const result = Object.fromEntries(keys.map((key) => [key, visit(value[key], key, value)]));
    return result.kind === 'Status' ? withoutOrder(result) : result;
  };

  return ({ code, headers, body }) => {
    learn(body);
    const warning: Record<string, string> = headers.warning === undefined ? {} : { warning: text(headers.warning) };
    return { code, headers: { ...headers, ...warning }, body: visit(body, '', {}) };
  };
};

const learnName = (renamed: Map<string, string>, { generateName, name }: JsonObject): void => {
  if (typeof generateName !== 'string' || typeof name !== 'string' || renamed.has(name)) return;
  if (/^[a-z0-9]{5}$/.test(name.slice(generateName.length))) renamed.set(name, `${generateName}<${renamed.size + 1}>`);
};

/** If a generated name is refused, the error contains both the name and the prefix that it was generated from. */
const learnRefusedName = (renamed: Map<string, string>, { name, causes }: JsonObject): void => {
  if (!Array.isArray(causes)) return;
  const cause = causes.find((each) => isObject(each) && each.field === 'metadata.generateName');
  const [, generateName] = /^Invalid value: "([^"]*)"/.exec(isObject(cause) ? String(cause.message) : '') ?? [];
  learnName(renamed, { generateName, name });
};

/** Sorts the lists in a discovery document, whose order does not matter, and managers that wrote in the same second. */
const inOrder = (key: string, list: readonly unknown[]): readonly unknown[] => {
  const by = ORDERED_BY[key];
  const nameOf = (item: unknown): string =>
    isObject(item) && by ? String(JSON.stringify(by.map((name) => item[name]))) : '';
  return by ? list.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b))) : list;
};

const ORDERED_BY: Readonly<Record<string, readonly string[]>> = {
  resources: ['name', 'resource'],
  subresources: ['subresource'],
  managedFields: ['manager', 'operation', 'subresource'],
};

/** Sorts the causes of a refusal and removes duplicates, and drops their list from the message, which adds nothing. */
const withoutOrder = (status: JsonObject): JsonObject => {
  const { details, message } = status;
  if (!isObject(details) || !Array.isArray(details.causes)) return status;
  const sorted = details.causes.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  const causes = sorted.filter((cause, index) => index === 0 || !isDeepStrictEqual(cause, sorted[index - 1]));
  return { ...status, message: String(message).replace(/: \[.*\]$/s, ': […]'), details: { ...details, causes } };
};

/**
 * Metadata of lists has neither a name nor a uid; nor has that of bookmarks, whose version is also that of the storage.
 */
const isListMetadata = (metadata: JsonObject): boolean => metadata.name === undefined && metadata.uid === undefined;

/** Times of the run itself. The times in the cases are in a different year. */
const isRecent = (time: string): boolean => Math.abs(Date.parse(time) - Date.now()) < 3_600_000;

const createNames = (prefix: string): ((value: string) => string) => {
  const names = new Map<string, string>();
  return (value) => {
    const name = names.get(value) ?? `${prefix} ${names.size + 1}`;
    names.set(value, name);
    return name;
  };
};
