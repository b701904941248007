import { ConflictError } from '../errors.ts';
import { isObject } from '../kube-api/json.ts';
import { ask, parsed, refusal, type Send, textOf, warningsOf, wellFormed } from './answers.ts';
import { type AnyObject, WorkloadRefusedError } from './client.ts';

/** The API path of one kind's objects, in parts. */
interface Resource {
  plural: string;
  namespaced: boolean;
}

/** JSON is YAML, so no YAML writer is needed. */
const APPLY = 'application/apply-patch+yaml';

const MERGE = 'application/merge-patch+json';

const JSON_TYPE = 'application/json';
/** The name under which the API server records the fields that we have set. */
const AS_WINDLASS = 'fieldManager=windlass';
/** The resources of one API group version; none if the server does not serve it. */
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
  new WorkloadRefusedError({
    code: 404,
    reason: 'UnknownKind',
    causes: [],
    words: `the cluster serves no kind ${kind} in ${apiVersion}`,
  });

/** A quota or a webhook may also answer 409, with another reason, and then nothing was created. */
const isExisting = ({ code, text }: { code: number; text: string }): boolean =>
  code === 409 && parsed(text).reason === 'AlreadyExists';

/** The object in a response. Throws WorkloadUnreachableError if it contains none. */
const objectIn = (text: string): AnyObject => {
  const object = parsed(text);
  return wellFormed(isObject(object.metadata) ? (object as unknown as AnyObject) : undefined, 'object');
};

/**
 * Access to objects of any kind through the server's discovery. Each group version is read once, and read again if it
 * lacks a kind, because a CustomResourceDefinition may have been created in the meantime.
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
  const create = async (wanted: AnyObject, manager?: string): Promise<string[]> => {
    const { collection, object } = await addressed(wanted);
    const body = { type: JSON_TYPE, value: object };
    const query = manager === undefined ? AS_WINDLASS : `fieldManager=${encodeURIComponent(manager)}`;
    const answer = await ask(send, { method: 'POST', path: `${collection}?${query}`, body });
    if (answer.code >= 300 && !isExisting(answer)) throw refusal(answer.code, answer.text);
    return warningsOf(answer);
  };
  return {
    create,
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
      return objectIn(text);
    },
    merge: async (wanted: AnyObject, manager: string): Promise<string[]> => {
      const { path, object } = await addressed(wanted);
      const body = { type: MERGE, value: object };
      const answer = await ask(send, {
        method: 'PATCH',
        path: `${path}?fieldManager=${encodeURIComponent(manager)}`,
        body,
      });
      if (answer.code === 404) return create(wanted, manager);
      if (answer.code >= 300) throw refusal(answer.code, answer.text);
      return warningsOf(answer);
    },
    replace: async (wanted: AnyObject): Promise<AnyObject> => {
      const { path, object } = await addressed(wanted);
      const body = { type: JSON_TYPE, value: object };
      const { code, text } = await ask(send, { method: 'PUT', path: `${path}?${AS_WINDLASS}`, body });
      if (code === 409) throw new ConflictError(`${wanted.kind} ${wanted.metadata.name} has changed in the meantime`);
      if (code >= 300) throw refusal(code, text);
      return objectIn(text);
    },
  };
};
