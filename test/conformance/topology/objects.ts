/** The Cluster and the class of the story, and ways to change them. */
import { type Api, ApiError } from '../../../infra/cli/api/client.ts';
import { NAMESPACE } from './manifests.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of which the steps change parts.
export type Any = any;

const CORE = `/apis/cluster.x-k8s.io/v1beta2/namespaces/${NAMESPACE}`;
export const CLUSTER = `${CORE}/clusters/judged`;
export const CLASS = `${CORE}/clusterclasses/judged`;

/** A change of an object, and what it is. */
export interface Edit {
  what: string;
  path: string;
  edit: (object: Any) => void;
}

export const topologyOf = (edit: (topology: Any) => void) => (cluster: Any) => edit(cluster.spec.topology);

export const setVariable = (name: string, value: unknown) =>
  topologyOf((topology) => {
    topology.variables = [...topology.variables.filter((it: Any) => it.name !== name), { name, value }];
  });

const TRIES = 20;

/** Reads, changes and writes an object, again where another writer was faster. */
export const change = async (api: Api, { path, edit }: Edit, tries = TRIES): Promise<void> => {
  const object = await api.send<Any>('GET', path);
  edit(object);
  try {
    await api.send('PUT', path, object);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status.code !== 409 || tries === 0) throw error;
    await change(api, { what: '', path, edit }, tries - 1);
  }
};
