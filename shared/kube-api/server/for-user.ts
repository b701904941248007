import type { JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { Admission } from '../registry/admission-control.ts';
import type { DeleteOptions, Registry, WriteEvent, WriteOptions } from '../registry/registry.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { Trail } from './audit.ts';
import type { AccessControl, User } from './user.ts';

/** One write request, as it is passed to those who admit it. */
export interface WriteRequest {
  user: User;
  /** The definition for the URL. */
  requested: ResourceDefinition;
  subresource: string | undefined;
  /** Members of CreateOptions, UpdateOptions or DeleteOptions. */
  options: JsonObject;
  /** Receives annotations for the audit record. */
  note(annotations: Readonly<Record<string, string>>): void;
}

export type AdmitRequest = (request: WriteRequest) => Admission;

interface Context {
  admit?: AccessControl['admit'];
  admitRelated?: AccessControl['admitRelated'];
  completeUpdate?: AccessControl['completeUpdate'];
  explain?(user: User, event: WriteEvent): Promise<readonly string[]>;
  admitRequest?: AdmitRequest;
  trail: Trail;
  subresource: string | undefined;
  query: URLSearchParams;
}

/** The options of a write from the query. */
const optionsIn = (query: URLSearchParams): JsonObject =>
  Object.fromEntries(
    ['fieldManager', 'fieldValidation'].flatMap((name) => {
      const value = query.get(name);
      return value ? [[name, value]] : [];
    }),
  );

const deleteOptions = ({ graceSeconds, preconditions, propagationPolicy }: DeleteOptions): JsonObject => ({
  ...(graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }),
  ...(preconditions ? { preconditions } : {}),
  ...(propagationPolicy ? { propagationPolicy } : {}),
});

/**
 * The registry for one user: no write may grant rights that the user does not have, a dry run is explained, those who
 * admit requests are called, and writes are recorded for the audit.
 */
export const forUser = (registry: Registry, user: User, context: Context): Registry => {
  const { admit, admitRelated, completeUpdate, explain, admitRequest, trail, subresource, query } = context;
  const note = (annotations: Readonly<Record<string, string>>): void => {
    trail.annotations = { ...trail.annotations, ...annotations };
  };
  const admissionOf = (requested: ResourceDefinition, options: JsonObject, dryRun = false) =>
    admitRequest?.({
      ...{ user, requested, subresource, note },
      options: { ...options, ...(dryRun ? { dryRun: ['All'] } : {}) },
    });
  const own = (
    resource: ResourceDefinition,
    write?: { dryRun?: boolean | undefined },
  ): Pick<WriteOptions, 'mayRelate' | 'guard' | 'explain' | 'admission'> => {
    trail.dryRun = write?.dryRun ?? false;
    return {
      ...(admitRelated ? { mayRelate: (object, old) => admitRelated(user, { resource, object, old }) } : {}),
      ...(admit ? { guard: (object, old) => admit(user, { resource, object, old }) } : {}),
      ...(explain ? { explain: (event) => explain(user, event) } : {}),
      admission: admissionOf(resource, optionsIn(query), write?.dryRun),
    };
  };
  return {
    ...registry,
    create: async (resource, body, write) => {
      const written = await registry.create(resource, body, { ...write, ...own(resource, write) });
      trail.name = written.object.metadata.name;
      return written;
    },
    update: (resource, key, change, write) => {
      const completed: typeof change = completeUpdate
        ? (current) => {
            const body: unknown = change(current);
            const complete = (one: unknown) => completeUpdate(user, { resource, current, body: one });
            return body instanceof Promise ? body.then(complete) : complete(body);
          }
        : change;
      return registry.update(resource, key, completed, { ...write, ...own(resource, write) });
    },
    apply: (resource, key, config, write) =>
      registry.apply(resource, key, config, { ...write, ...own(resource, write) }),
    delete: (resource, key, options = {}) => {
      const admission = admissionOf(resource, deleteOptions(options), options.dryRun);
      const guard = admit && ((object: KubeObject) => admit(user, { resource, object, isDeletion: true }));
      const asked = { explain: own(resource, options).explain, ...(guard ? { guard } : {}) };
      return registry.delete(resource, key, { ...asked, ...options, admission });
    },
  };
};
