import { isObject } from '../kube-api/json.ts';
import { isCloudController } from '../plan/machines/cloud-controller.ts';
import { listAt, type Send, textOf } from './answers.ts';

/** Where one runs: as a DaemonSet or Deployment of any namespace, or as a static pod. */
const PLACES = [
  ['DaemonSet', '/apis/apps/v1/daemonsets'],
  ['Deployment', '/apis/apps/v1/deployments'],
  ['Pod', '/api/v1/namespaces/kube-system/pods'],
] as const;

const MAX_NAME = 600;

/** What runs a cloud controller manager, by kind and name. */
export const findCloudController = async (send: Send): Promise<string | undefined> => {
  const lists = await Promise.all(
    PLACES.map(async ([kind, path]) => {
      const found = (await listAt(send, path)).find((item) => isCloudController(item, kind));
      const metadata = isObject(found?.metadata) ? found.metadata : undefined;
      return metadata && `${kind} ${textOf(metadata.namespace)}/${textOf(metadata.name)}`.slice(0, MAX_NAME);
    }),
  );
  return lists.find((name) => name !== undefined);
};
