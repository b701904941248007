import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { decodeObject } from '../kube-api/decode.ts';
import type { KubeObject } from '../kube-api/object.ts';
import { admitCreate, admitUpdate } from '../kube-api/registry/admission.ts';
import type { ResourceDefinition } from '../kube-api/resource.ts';
import { StatusError } from '../kube-api/status-error.ts';

/** For tests: passes objects through the server's own admission, without a server. */

const QUICKSTART = new URL('../../examples/quickstart.yaml', import.meta.url);

export const readExample = (): KubeObject[] =>
  parseAllDocuments(readFileSync(QUICKSTART, 'utf8')).map((document) => document.toJS() as KubeObject);

/** A copy of the example's object of a kind; `name` if there are several. */
export const example = <T extends KubeObject>({ kind }: ResourceDefinition<T>, name?: string): T => {
  const found = readExample().find((object) => object.kind === kind && (!name || object.metadata.name === name));
  if (!found) throw new Error(`no ${kind} in the example`);
  return found as T;
};

/** The object as the server would store it; unknown fields are refused. */
export const admit = <T extends KubeObject>(resource: ResourceDefinition<T>, body: unknown, old?: T): T => {
  const { object } = decodeObject(resource, body);
  const inNamespace = { ...object, metadata: { namespace: 'default', ...object.metadata } };
  return old
    ? admitUpdate(resource, inNamespace, old, 'all')
    : admitCreate(resource, inNamespace, { uid: 'uid-1', now: new Date(0), scope: 'all' });
};

/**
 * The errors with which the server refuses the object, one line for each cause, in kubectl's form; empty if it is
 * accepted.
 */
export const refusals = <T extends KubeObject>(resource: ResourceDefinition<T>, body: unknown, old?: T): string[] => {
  try {
    admit(resource, body, old);
    return [];
  } catch (error) {
    if (!(error instanceof StatusError) || !error.details?.causes) throw error;
    return error.details.causes.map(({ field, message }) => `${field}: ${message}`);
  }
};
