import type { HttpMethod } from '@kubernetes/client-node';
import { ConflictError } from '../errors.ts';
import { isObject } from '../kube-api/json.ts';
import { type AnyObject, type RefusalCause, unreachable, WorkloadRefusedError } from './client.ts';

export interface Sent {
  method: HttpMethod;
  /** With its query. */
  path: string;
  body?: { type: string; value: unknown };
}

/** Sends one request with the client's credentials. Rejects when there is no answer. */
export type Send = (request: Sent) => Promise<{ code: number; text: string }>;

/** How objects of one kind are addressed. */
interface Resource {
  plural: string;
  namespaced: boolean;
}

/** JSON is YAML, and no YAML has to be written. */
const APPLY = 'application/apply-patch+yaml';

const JSON_TYPE = 'application/json';
/** The name under which the API server notes what we have set. */
const AS_WINDLASS = 'fieldManager=windlass';
const PAGE = 500;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The JSON object in an answer; an empty one where it holds none. */
export const parsed = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    // A proxy in between, or a server that is on its way down: then the code says all there is.
    return {};
  }
};

const causesOf = ({ details }: Record<string, unknown>): RefusalCause[] => {
  const causes = isObject(details) && Array.isArray(details.causes) ? details.causes.filter(isObject) : [];
  return causes.map(({ reason, field }) => ({ reason: textOf(reason), field: textOf(field) }));
};

/** The error for an answer that is a refusal. */
export const refusal = (code: number, text: string): WorkloadRefusedError => {
  const status = parsed(text);
  const reason = textOf(status.reason) || `HTTP ${code}`;
  return new WorkloadRefusedError(textOf(status.message) || reason, { code, reason, causes: causesOf(status) });
};

/** A server that is starting or stopping, or one behind a proxy, has no opinion about the object. */
const isUnavailable = (code: number): boolean => code === 502 || code === 503 || code === 504;

/** Asks, and throws WorkloadUnreachableError where the server has no word of its own. */
export const ask = async (send: Send, request: Sent): Promise<{ code: number; text: string }> => {
  let answer: { code: number; text: string };
  try {
    answer = await send(request);
  } catch (error) {
    throw unreachable(error);
  }
  if (isUnavailable(answer.code)) throw unreachable(new Error(`HTTP ${answer.code}`));
  return answer;
};

/** All items of the list at `path`, which may have a query, page by page. Throws WorkloadRefusedError. */
export const listAt = async (send: Send, path: string): Promise<Record<string, unknown>[]> => {
  const items: Record<string, unknown>[] = [];
  const query = path.includes('?') ? '&' : '?';
  let token = '';
  do {
    const more = token && `&continue=${encodeURIComponent(token)}`;
    const { code, text } = await ask(send, { method: 'GET', path: `${path}${query}limit=${PAGE}${more}` });
    if (code !== 200) throw refusal(code, text);
    const list = parsed(text);
    items.push(...(Array.isArray(list.items) ? list.items.filter(isObject) : []));
    token = isObject(list.metadata) ? textOf(list.metadata.continue) : '';
  } while (token);
  return items;
};

/** The resources of one group version; none where the server does not serve it. */
const discover = async (send: Send, apiVersion: string): Promise<ReadonlyMap<string, Resource>> => {
  const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { code, text } = await ask(send, { method: 'GET', path });
  if (code === 404) return new Map();
  if (code !== 200) throw refusal(code, text);
  const { resources } = parsed(text);
  const own = (Array.isArray(resources) ? resources : [])
    .filter(isObject)
    .filter(({ name }) => !/\//.test(textOf(name)));
  return new Map(
    own.map(({ kind, name, namespaced }) => [textOf(kind), { plural: textOf(name), namespaced: namespaced === true }]),
  );
};

const unknownKind = ({ apiVersion, kind }: AnyObject): WorkloadRefusedError =>
  new WorkloadRefusedError(`the cluster serves no kind ${kind} in ${apiVersion}`, {
    code: 404,
    reason: 'UnknownKind',
    causes: [],
  });

/**
 * Objects of any kind, addressed by what the server says of its kinds. Each group version is asked for once, and again
 * where it lacks a kind: a CustomResourceDefinition may have come in the meantime.
 */
export const anyObjects = (send: Send) => {
  const known = new Map<string, ReadonlyMap<string, Resource>>();
  const resourceOf = async (object: AnyObject): Promise<Resource> => {
    const { apiVersion, kind } = object;
    const before = known.get(apiVersion)?.get(kind);
    if (before) return before;
    const found = await discover(send, apiVersion);
    known.set(apiVersion, found);
    const resource = found.get(kind);
    if (!resource) throw unknownKind(object);
    return resource;
  };
  const addressed = async (object: AnyObject): Promise<{ path: string; collection: string; object: AnyObject }> => {
    const { plural, namespaced } = await resourceOf(object);
    const { namespace: named, ...metadata } = object.metadata;
    const namespace = namespaced ? named || 'default' : undefined;
    const { apiVersion } = object;
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const place = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
    const collection = `${root}${place}/${plural}`;
    return {
      collection,
      path: `${collection}/${encodeURIComponent(metadata.name)}`,
      object: { ...object, metadata: namespace === undefined ? metadata : { ...metadata, namespace } },
    };
  };
  return {
    apply: async (wanted: AnyObject, manager: string): Promise<void> => {
      const { path, object } = await addressed(wanted);
      const query = `?fieldManager=${encodeURIComponent(manager)}&force=true`;
      const body = { type: APPLY, value: object };
      const { code, text } = await ask(send, { method: 'PATCH', path: `${path}${query}`, body });
      if (code >= 300) throw refusal(code, text);
    },
    exists: async (wanted: AnyObject): Promise<boolean> => {
      const { path } = await addressed(wanted);
      const { code, text } = await ask(send, { method: 'GET', path });
      if (code === 404) return false;
      if (code >= 300) throw refusal(code, text);
      return true;
    },
    read: async (wanted: AnyObject): Promise<AnyObject | undefined> => {
      const { path } = await addressed(wanted);
      const { code, text } = await ask(send, { method: 'GET', path });
      if (code === 404) return undefined;
      if (code >= 300) throw refusal(code, text);
      return parsed(text) as unknown as AnyObject;
    },
    create: async (wanted: AnyObject): Promise<void> => {
      const { collection, object } = await addressed(wanted);
      const body = { type: JSON_TYPE, value: object };
      const { code, text } = await ask(send, { method: 'POST', path: `${collection}?${AS_WINDLASS}`, body });
      if (code >= 300 && code !== 409) throw refusal(code, text);
    },
    replace: async (wanted: AnyObject): Promise<AnyObject> => {
      const { path, object } = await addressed(wanted);
      const body = { type: JSON_TYPE, value: object };
      const { code, text } = await ask(send, { method: 'PUT', path: `${path}?${AS_WINDLASS}`, body });
      if (code === 409) throw new ConflictError(`${wanted.kind} ${wanted.metadata.name} has changed in the meantime`);
      if (code >= 300) throw refusal(code, text);
      return parsed(text) as unknown as AnyObject;
    },
  };
};
