/** Writes of a story. */
import { type Api, ApiError } from '../../../infra/cli/api/client.ts';
import { collectionPath, makeFindResource } from '../../../infra/cli/api/resources.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { type Any, type Edit, pathOf, type Refusal, type Story } from './story.ts';

const TRIES = 20;

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status.code === 409;

/** Creates the objects in their order, and their namespaces. Rejects with ApiError where one is refused. */
export const createAll = async (api: Api, objects: readonly KubeObject[], namespace: string): Promise<void> => {
  const findResource = makeFindResource(api);
  const namespaces = new Set([namespace, ...objects.flatMap(({ metadata }) => metadata.namespace ?? [])]);
  for (const name of namespaces)
    await api.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const object of objects) {
    const resource = await findResource(object);
    if (!resource) throw new Error(`${object.kind} is not served`);
    const metadata = { ...object.metadata, namespace: object.metadata.namespace ?? namespace };
    await api.send('POST', collectionPath(resource, metadata.namespace), { ...object, metadata });
  }
};

/** Reads, changes and writes an object, again where another writer was faster. */
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

/** What a refusal says in a dry run, without the name of the webhook: there are none here. */
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
    return message.replaceAll(/\bDev(?=Cluster|Machine)/g, 'AWS');
  }
};
