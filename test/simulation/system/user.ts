/** A user of the Kubernetes API, who writes and reads objects. */
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { ControlPlane } from '../../../shared/kinds/contract-objects.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { Answer, World } from './world.ts';

/** The objects of the quickstart that users change. */
export const CLUSTER = 'quickstart';
export const CONTROL_PLANE = 'quickstart-control-plane';
export const DEPLOYMENT = 'quickstart-md-0';
const CONTROL_PLANE_KINDS: readonly string[] = ['KubeadmControlPlane', 'RKE2ControlPlane'];
/** The next minor version after the one in the examples. */
export const NEXT_VERSION = 'v1.35.2';
/** A label of the workers' machines. */
export const DEPLOYMENT_LABEL = 'cluster.x-k8s.io/deployment-name';

const MERGE_PATCH = 'application/merge-patch+json';

/** The path of the objects of a kind, in the namespace `default` if the kind is namespaced. */
const pathOf = (kind: string): string => {
  const found = KINDS.find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`no kind "${kind}" is served`);
  const base = found.group === '' ? '/api' : `/apis/${found.group}`;
  const scope = found.namespaced ? '/namespaces/default' : '';
  return `${base}/${found.version}${scope}/${found.plural}`;
};

export interface Sizes {
  controlPlane: number;
  /** The workers of the MachineDeployment. */
  workers: number;
  /** Other machines: of a MachinePool, or created by a user. */
  others?: number;
}

export const machinesIn = ({ controlPlane, workers, others = 0 }: Sizes): number => controlPlane + workers + others;

/** While a step changes the numbers of machines, there may be as many as in the larger of the two sizes. */
export const mostOf = (before: Sizes, next: Sizes): Sizes => ({
  ...next,
  workers: Math.max(before.workers, next.workers),
  others: Math.max(before.others ?? 0, next.others ?? 0),
});

type Written = KubeObject & { spec: { replicas?: number } };

const inSizes = (text: string, { controlPlane, workers }: Sizes): KubeObject[] =>
  parseAllDocuments(text).map((document) => {
    const object = document.toJS() as Written;
    if (CONTROL_PLANE_KINDS.includes(object.kind)) object.spec.replicas = controlPlane;
    if (object.kind === 'MachineDeployment') object.spec.replicas = workers;
    return object;
  });

/** The objects of an example, with these numbers of machines, and with the names of the quickstart. */
const objectsOf = (example: string) => {
  const name = new RegExp(`\\b${example}(?=-control-plane$|-md-0$|$)`, 'gm');
  return (sizes: Sizes): KubeObject[] =>
    inSizes(readFileSync(`examples/${example}.yaml`, 'utf8').replace(name, CLUSTER), sizes);
};

export const clusterObjects = objectsOf('quickstart');
export const rke2Objects = objectsOf('rke2');
export const flatcarObjects = objectsOf('flatcar');
/** The objects of a cluster in another account, with its identity. */
export const spokeObjects = objectsOf('spoke');

/** An error response that users should not get. */
const unexpected = (method: string, path: string, code: number, body: object): Error =>
  new Error(`${method} ${path}: ${code} ${JSON.stringify(body)}`);

/**
 * The number of attempts for requests that Kubernetes clients retry: after server errors, and after conflicts. They
 * last longer than functions are refused.
 */
const TRIES = 240;

const isPassing = (code: number): boolean => code >= 500 || code === 429 || code === 409;

/** The request was carried out although its response was lost. */
const wasDone = (method: string, code: number): boolean =>
  (method === 'POST' && code === 409) || (method === 'DELETE' && code === 404);

export const makeUser = ({ ask }: Pick<World, 'ask'>, wait: (milliseconds: number) => Promise<void>) => {
  const send = async (method: string, path: string, body?: unknown, type?: string): Promise<Answer> => {
    for (let tries = 1; ; tries += 1) {
      const answer = await ask(method, path, body, type);
      if (answer.code < 300 || (tries > 1 && wasDone(method, answer.code))) return answer;
      if (tries === TRIES || !isPassing(answer.code)) throw unexpected(method, path, answer.code, answer.body);
      await wait(1_000);
    }
  };
  const write = async (method: string, path: string, body?: unknown, type?: string): Promise<void> =>
    void (await send(method, path, body, type));
  return {
    create: (object: KubeObject) => write('POST', pathOf(object.kind), object),
    patch: (kind: string, name: string, patch: object) => write('PATCH', `${pathOf(kind)}/${name}`, patch, MERGE_PATCH),
    remove: (kind: string, name: string) => write('DELETE', `${pathOf(kind)}/${name}`),
    /** All objects of a kind. */
    list: async <T extends KubeObject>(kind: string): Promise<T[]> => {
      const { body } = await send('GET', pathOf(kind));
      return (body as unknown as { items: T[] }).items.map((item) => ({ ...item, kind }));
    },
  };
};

export type User = ReturnType<typeof makeUser>;

/** Ignores that the object of a write was deleted meanwhile, directly or with its owner. */
export const unlessGone = (error: Error): void => {
  if (!error.message.includes(': 404 ')) throw error;
};

/** The control planes of all distributions. */
export const controlPlanes = async (user: User): Promise<ControlPlane[]> =>
  (await Promise.all(CONTROL_PLANE_KINDS.map((kind) => user.list<ControlPlane>(kind)))).flat();

/** The control plane of the cluster, but not a copy of it. */
export const controlPlaneOf = async (user: User): Promise<ControlPlane | undefined> =>
  (await controlPlanes(user)).find(({ metadata }) => metadata.name.startsWith(CLUSTER));

/** Finds an object by its name, because there may be copies. Undefined if it does not exist. */
export const named = async <T extends KubeObject>(user: User, kind: string, name: string): Promise<T | undefined> =>
  (await user.list<T>(kind)).find(({ metadata }) => metadata.name === name);
