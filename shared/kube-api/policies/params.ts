import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { Storage } from '../storage/storage.ts';
import { selects } from '../webhooks/match.ts';
import type { ParamKind, ParamRef } from './policy.ts';

/** A policy or a binding is invalid for this request. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly isOfPolicy: boolean;
  constructor(message: string, isOfPolicy = false) {
    super(message);
    this.isOfPolicy = isOfPolicy;
  }
}

/** The source of parameter objects. */
export interface ParamSource {
  storage: Pick<Storage, 'get' | 'list'>;
  /** Returns the kind in this version, including custom kinds. */
  findKind(apiVersion: string, kind: string): Promise<ResourceDefinition | undefined>;
}

const shownKind = ({ apiVersion = '', kind = '' }: ParamKind): string =>
  `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;

const namespaceFor = ({ namespaced }: ResourceDefinition, { namespace = '' }: ParamRef, requested: string): string => {
  if (!namespaced) {
    if (namespace === '') return '';
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const wanted = namespace || requested;
  if (wanted !== '') return wanted;
  const why = 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
  throw new ConfigurationError(why);
};

const listAll = async (source: ParamSource, resource: ResourceDefinition, namespace: string): Promise<KubeObject[]> => {
  const items: KubeObject[] = [];
  let token: string | undefined;
  do {
    const page = await source.storage.list(resource, {
      ...(resource.namespaced ? { namespace } : {}),
      continue: token,
    });
    items.push(...page.items);
    token = page.continue;
  } while (token !== undefined);
  return items;
};

const found = async (
  source: ParamSource,
  resource: ResourceDefinition,
  ref: ParamRef,
  namespace: string,
): Promise<KubeObject[]> => {
  if (ref.name) {
    const one = await source.storage.get(resource, namespace, ref.name);
    return one ? [one] : [];
  }
  const all = await listAll(source, resource, namespace);
  return all.filter(({ metadata }) => selects(ref.selector ?? {}, metadata.labels));
};

/**
 * Returns the parameter objects of a binding; the policy is evaluated for each of them. Returns a single undefined if
 * the policy has no parameter kind or the binding refers to no objects (k8s.io/apiserver, policy/generic
 * CollectParams). Throws ConfigurationError.
 */
export const collectParams = async (
  kind: ParamKind | undefined,
  ref: ParamRef | undefined,
  namespace: string,
  source: ParamSource,
): Promise<(KubeObject | undefined)[]> => {
  if (!kind) return [undefined];
  const resource = await source.findKind(kind.apiVersion ?? '', kind.kind ?? '');
  if (!resource) {
    throw new ConfigurationError(`failed to find resource referenced by paramKind: '${shownKind(kind)}'`, true);
  }
  if (!ref) return [undefined];
  const params = await found(source, resource, ref, namespaceFor(resource, ref, namespace));
  if (params.length === 0 && ref.parameterNotFoundAction === 'Deny') {
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return params;
};
