/** The writes of a story. */
import { type Api, ApiError } from '../../../infra/cli/api/client.ts';
import { collectionPath, makeFindResource } from '../../../infra/cli/api/resources.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { explained } from './explained.ts';
import { type Any, type Edit, pathOf, type Refusal, type Story } from './story.ts';

const TRIES = 20;

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status.code === 409;

const ensureNamespace = async (api: Api, name: string): Promise<void> => {
  try {
    await api.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
};

/**
 * Creates the objects in order, after their namespaces. Rejects with ApiError if one is refused. Returns the objects as
 * stored.
 */
export const createAll = async (api: Api, objects: readonly KubeObject[], namespace: string): Promise<KubeObject[]> => {
  const findResource = makeFindResource(api);
  const namespaces = new Set([namespace, ...objects.flatMap(({ metadata }) => metadata.namespace ?? [])]);
  for (const name of namespaces) await ensureNamespace(api, name);
  const stored: KubeObject[] = [];
  for (const object of objects) {
    const resource = await findResource(object);
    if (!resource) throw new Error(`${object.kind} is not served`);
    const metadata = { ...object.metadata, namespace: object.metadata.namespace ?? namespace };
    stored.push(await api.send('POST', collectionPath(resource, metadata.namespace), { ...object, metadata }));
  }
  return stored;
};

/**
 * Kinds whose webhooks do not run on the upstream side. They are created there with the defaults that they get here.
 */
const DEFAULTED = /^(AWS|RKE2)/;

export const withDefaults = (objects: readonly KubeObject[], stored: readonly KubeObject[]): KubeObject[] =>
  objects.map((object, index) => {
    const { spec } = (stored[index] ?? object) as KubeObject & { spec?: unknown };
    return DEFAULTED.test(object.kind) ? ({ ...object, spec } as KubeObject) : object;
  });

/** Reads, changes and writes an object. Retries if another writer was faster. */
export const change = async (api: Api, story: Story, { of, edit }: Edit, tries = TRIES): Promise<void> => {
  const path = pathOf(of, story);
  const object = await api.send<Any>('GET', path);
  edit(object);
  try {
    await api.send('PUT', path, object);
  } catch (error) {
    if (!isConflict(error) || tries === 0) throw error;
    await change(api, story, { what: '', of, edit }, tries - 1);
  }
};

/** The message with which a dry run is refused, without the name of the webhook, because Windlass has none. */
export const refusalOf = async (
  api: Api,
  story: Story,
  { of, edit, method = 'PUT' }: Refusal,
  tries = TRIES,
): Promise<string> => {
  const path = pathOf(of, story);
  const object = await api.send<Any>('GET', path);
  edit(object);
  try {
    await api.send(method, `${path}?dryRun=All`, method === 'PUT' ? object : undefined);
    return 'nothing';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isConflict(error) && tries > 0) return refusalOf(api, story, { what: '', of, edit, method }, tries - 1);
    const message = error.message.replace(/^admission webhook "[^"]*" denied the request: /, '');
    return explained(message.replaceAll(/\bDev(?=Cluster|Machine)/g, 'AWS'));
  }
};
