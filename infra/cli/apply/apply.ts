/** `kubectl apply -f`, client side, for a computer without kubectl. */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { type Api, ApiError } from '../api/client.ts';
import { collectionPath, makeFindResource, type Resource } from '../api/resources.ts';
import { lastApplied, withLastApplied, withoutLastApplied } from './last-applied.ts';
import type { Manifest } from './manifest.ts';
import { refusal } from './refusal.ts';
import { threeWayPatch } from './three-way.ts';

/** Unknown and duplicate fields are refused, as kubectl does. */
const OPTIONS = '?fieldManager=kubectl-client-side-apply&fieldValidation=Strict';

export type Applied = 'created' | 'configured' | 'unchanged';

const asRecord = (object: KubeObject): Record<string, unknown> => ({ ...object });

const find = async (api: Api, path: string): Promise<KubeObject | undefined> => {
  try {
    return await api.send<KubeObject>('GET', path);
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 404) return undefined;
    throw error;
  }
};

export interface AppliedObject {
  outcome: Applied;
  /** The object in the API's answer; if unchanged, as it is stored. */
  object: KubeObject;
}

/** An object without the metadata that describes its writes. */
export const contentOf = (object: KubeObject): KubeObject => {
  const plain = withoutLastApplied(object);
  const { managedFields: _fields, resourceVersion: _version, generation: _generation, ...metadata } = plain.metadata;
  return { ...plain, metadata };
};

/**
 * Applies one object. A dry run does the same without writing. The object is unchanged if only the annotation of the
 * last apply would differ, for example because it was applied by the server.
 */
export const applyOne = async (
  api: Api,
  resource: Resource,
  object: KubeObject,
  { dryRun = false } = {},
): Promise<AppliedObject> => {
  const { name, namespace = 'default' } = object.metadata;
  const metadata = { ...object.metadata, ...(resource.namespaced ? { namespace } : {}) };
  const wanted = withLastApplied({ ...object, metadata });
  const collection = collectionPath(resource, namespace);
  const options = `${OPTIONS}${dryRun ? '&dryRun=All' : ''}`;
  const current = await find(api, `${collection}/${name}`);
  if (current === undefined) {
    return { outcome: 'created', object: await api.send('POST', `${collection}${options}`, wanted) };
  }
  const patch = threeWayPatch(lastApplied(current), asRecord(wanted), asRecord(current));
  if (Object.keys(patch).length === 0) return { outcome: 'unchanged', object: current };
  const path = `${collection}/${name}${options}`;
  const answer = await api.send<KubeObject>('PATCH', path, patch, 'application/merge-patch+json');
  if (dryRun && isDeepStrictEqual(contentOf(answer), contentOf(current)))
    return { outcome: 'unchanged', object: current };
  return { outcome: 'configured', object: answer };
};

export const nameOf = ({ group }: Resource, { kind, metadata }: KubeObject): string =>
  `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${metadata.name}`;

export const noMatch = ({ file, object: { kind, apiVersion, metadata } }: Manifest): string =>
  `error: resource mapping not found for name: "${metadata.name}" namespace: "${metadata.namespace ?? ''}" ` +
  `from "${file}": no matches for kind "${kind}" in version "${apiVersion}"`;

/**
 * Creates missing objects and patches existing ones, one after the other. Actions are reported to `report` in kubectl's
 * wording. Refusals are returned, also in kubectl's wording, and do not prevent the rest from being applied. Rejects
 * only if the API cannot be reached.
 */
export const apply = async (
  api: Api,
  manifests: readonly Manifest[],
  report: (line: string) => void,
): Promise<string[]> => {
  const findResource = makeFindResource(api);
  const refusals: string[] = [];
  for (const manifest of manifests) {
    try {
      const resource = await findResource(manifest.object);
      if (resource === undefined) refusals.push(noMatch(manifest));
      else report(`${nameOf(resource, manifest.object)} ${(await applyOne(api, resource, manifest.object)).outcome}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refusals.push(refusal(manifest.file, error.status));
    }
  }
  return refusals;
};
