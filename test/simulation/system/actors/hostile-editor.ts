/** The editor of another namespace, who attacks the cluster of the lifecycle with objects in that namespace. */

import type { Answer, Identity, World } from '../world.ts';
import { forgeriesFor, NAMESPACE, PLACES, victimOf } from './forgeries.ts';

const EDITOR: Identity = { userName: 'mallory', groups: [] };
const RBAC = 'rbac.authorization.k8s.io';

/** How long the objects exist; several passes and a sweep see them. */
const WHILE_MILLISECONDS = 360_000;
const LOOK_MILLISECONDS = 10_000;
/** Longer than all faults together, one after the other. */
const TRIES = 60;

export interface HostileOptions {
  world: World;
  /** The uid of the cluster that is attacked. */
  uid: string;
  wait(milliseconds: number): Promise<void>;
}

/** Repeats a request while the API fails. Throws if it fails for too long. */
const asking = ({ world, wait }: HostileOptions) => {
  return async (method: string, path: string, body?: object, as?: Identity): Promise<Answer> => {
    for (let tries = 1; ; tries += 1) {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : undefined;
      const answer = await world.ask(method, path, body, type, as);
      if (answer.code < 500 && answer.code !== 429) return answer;
      if (tries === TRIES) throw new Error(`${method} ${path}: ${answer.code}`);
      await wait(LOOK_MILLISECONDS);
    }
  };
};

const letIn = async (ask: ReturnType<typeof asking>): Promise<void> => {
  await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await ask('POST', `/apis/${RBAC}/v1/namespaces/${NAMESPACE}/rolebindings`, {
    ...{ apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata: { name: 'edit' } },
    subjects: [{ apiGroup: RBAC, kind: 'User', name: EDITOR.userName }],
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'edit' },
  });
};

/** The path of the Cluster that refers to an AWSCluster; both have the same name. */
const clusterOf = (path: string): string => `${PLACES['cluster.x-k8s.io/v1beta2']}/clusters/${path.split('/').at(-1)}`;

/**
 * Creates the objects as the editor, and removes them after some minutes. Resolves when nothing is left of them. Throws
 * if the API accepts none of them, because nothing was attacked then.
 */
export const attack = async (options: HostileOptions): Promise<void> => {
  const { world, uid, wait } = options;
  const ask = asking(options);
  await letIn(ask);
  const forgeries = forgeriesFor(victimOf(world.account, uid));
  let admitted = 0;
  for (const { plural, object } of forgeries) {
    const { code } = await ask('POST', `${PLACES[object.apiVersion]}/${plural}`, object, EDITOR);
    if (code < 300) admitted += 1;
  }
  if (admitted === 0) throw new Error('the API has refused every object of the hostile editor');
  await wait(WHILE_MILLISECONDS);
  for (const { plural, object } of forgeries.toReversed())
    await ask('DELETE', `${PLACES[object.apiVersion]}/${plural}/${object.metadata.name}`, undefined, EDITOR);
  for (const { plural, object } of forgeries) {
    const path = `${PLACES[object.apiVersion]}/${plural}/${object.metadata.name}`;
    while ((await ask('GET', path)).code !== 404) {
      await wait(LOOK_MILLISECONDS);
      // A restored table may contain objects that were already deleted, and all its clusters are paused.
      await ask('DELETE', path, undefined, EDITOR);
      if (plural === 'awsclusters') await ask('PATCH', clusterOf(path), { spec: { paused: false } }, EDITOR);
    }
  }
  await ask('DELETE', `/api/v1/namespaces/${NAMESPACE}`);
};
