/** `kubectl apply -f`, client side, for a computer without kubectl. */
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { type Api, ApiError } from '../api/client.ts';
import { collectionPath, makeFindResource, type Resource } from '../api/resources.ts';
import type { Manifest } from './manifest.ts';
import { refusal } from './refusal.ts';
import { threeWayPatch } from './three-way.ts';

/** kubectl stores here what was applied last, so that the next apply knows what was removed. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Unknown and duplicate fields are refused, as by kubectl. */
const OPTIONS = '?fieldManager=kubectl-client-side-apply&fieldValidation=Strict';

export type Applied = 'created' | 'configured' | 'unchanged';

const withLastApplied = (object: KubeObject): KubeObject => {
  const { [LAST_APPLIED]: _previous, ...annotations } = object.metadata.annotations ?? {};
  const plain = { ...object, metadata: { ...object.metadata, annotations } };
  const text = `${JSON.stringify(plain)}\n`;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [LAST_APPLIED]: text } } };
};

const lastApplied = (current: KubeObject): Record<string, unknown> => {
  const text = current.metadata.annotations?.[LAST_APPLIED];
  return text === undefined ? {} : (JSON.parse(text) as Record<string, unknown>);
};

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
  /** The object as the API answered it; of one that is unchanged, as it is. */
  object: KubeObject;
}

/** Applies one object; in a dry run it is as good as applied, and nothing is written. */
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
  return { outcome: 'configured', object: await api.send('PATCH', path, patch, 'application/merge-patch+json') };
};

export const nameOf = ({ group }: Resource, { kind, metadata }: KubeObject): string =>
  `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${metadata.name}`;

export const noMatch = ({ file, object: { kind, apiVersion, metadata } }: Manifest): string =>
  `error: resource mapping not found for name: "${metadata.name}" namespace: "${metadata.namespace ?? ''}" ` +
  `from "${file}": no matches for kind "${kind}" in version "${apiVersion}"`;

/**
 * Creates missing objects and patches existing ones, one after the other. Actions are reported to `report` with
 * kubectl's wording; refusals are returned, with kubectl's wording, and do not prevent the rest from being applied.
 * Rejects only if the API cannot be reached.
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
