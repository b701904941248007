/** The steps of an edit: text, plan, apply. */
import { parse } from 'yaml';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { Api } from '../../api/answer.ts';
import { collectionPath, makeFindResource } from '../../api/resources.ts';
import { type Fetch, replaceObject } from './client.ts';

/** The effects of an edit, or the reason why it is impossible. */
export type Outcome = { isRefused: false; lines: readonly string[] } | { isRefused: true; why: string };

/**
 * The object in an edited text. Throws an Error with a readable message if the text is not YAML, or names another
 * object.
 */
export const readEdit = (text: string, original: KubeObject): KubeObject => {
  const object = parse(text) as KubeObject | null;
  const same = (['apiVersion', 'kind'] as const).every((field) => object?.[field] === original[field]);
  const { namespace, name } = original.metadata;
  if (!same || object?.metadata?.name !== name || object.metadata.namespace !== namespace)
    throw new Error('apiVersion, kind, metadata.name and metadata.namespace cannot be changed here');
  return object;
};

const pathOf = async (api: Api, object: KubeObject): Promise<string> => {
  const resource = await makeFindResource(api)(object);
  if (resource === undefined) throw new Error(`the API does not serve ${object.kind} of ${object.apiVersion}`);
  return `${collectionPath(resource, object.metadata.namespace ?? '')}/${object.metadata.name}`;
};

/** The plan, which the API returns as warnings of a dry run. */
const linesOf = (warnings: readonly string[]): string[] => warnings.map((line) => line.replace(/^plan: /, ''));

interface EditOptions {
  api: Api;
  send: Fetch;
  original: KubeObject;
  text: string;
  /** Only asks for the effects of the edit. */
  dryRun: boolean;
}

/**
 * Sends an edited object to the API, which validates it and plans its effects. The text contains its resourceVersion,
 * so the API refuses the edit as a conflict if the object has changed meanwhile.
 */
export const sendEdit = async ({ api, send, original, text, dryRun }: EditOptions): Promise<Outcome> => {
  try {
    const object = readEdit(text, original);
    const { warnings } = await replaceObject(send, await pathOf(api, original), object, dryRun);
    return { isRefused: false, lines: linesOf(warnings) };
  } catch (error) {
    return { isRefused: true, why: (error as Error).message };
  }
};
