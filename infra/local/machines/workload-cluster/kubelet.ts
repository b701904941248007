import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import type { Clock } from '../../../../shared/clock.ts';
import type { BootLog } from '../boot-log.ts';
import { type ApiClient, connectApi, isMissing, isTaken, type Json, MERGE_PATCH } from '../kubeadm/api-client.ts';
import { messageOf } from '../kubeadm/error.ts';
import type { Service } from '../kubeadm/machine-context.ts';
import type { Route } from '../kubeadm/route.ts';
import { pauseSince } from '../kubeadm/wait.ts';
import type { KubeletOptions } from './kubelet-options.ts';
import { mirrorPod, newNode, nodeStatus, runningStatus } from './node-object.ts';
import type { HeartbeatCondition, Node } from './objects.ts';

export interface KubeletDependencies {
  options: KubeletOptions;
  /** The API server's `host:port` in kubelet.conf. */
  endpoint: string;
  /** The CA of the cluster, as PEM. */
  ca: string;
  certificate: PemPair;
  /** The containers of the static pods; empty on a worker. */
  staticPods: readonly { name: string; image: string }[];
  clock: Clock;
  bootLog: BootLog;
  retryMilliseconds: number;
  route: Route;
}

/** `nodeStatusUpdateFrequency`; a lease is valid for four of these intervals. */
const HEARTBEAT_MILLISECONDS = 10_000;
const LEASE_SECONDS = 40;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const PODS = '/api/v1/namespaces/kube-system/pods';

const nodePath = (name: string): string => `/api/v1/nodes/${name}`;

const asJson = (value: object): Json => value as Json;

const unless = async (isExpected: (error: unknown) => boolean, work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!isExpected(error)) throw error;
  }
};

const postStatus = async (api: ApiClient, options: KubeletOptions, now: Date): Promise<void> => {
  const path = nodePath(options.nodeName);
  const current = (await api.call('GET', path)) as unknown as Node;
  const before: HeartbeatCondition[] = current.status?.conditions ?? [];
  const { addresses, ...status } = nodeStatus(options, now, before);
  const isTold = options.isCloudExternal && (current.status?.addresses ?? []).length > 0;
  // A patch without a version, because the node lifecycle controller writes to the same object.
  await api.call('PATCH', `${path}/status`, { status: isTold ? status : { ...status, addresses } }, MERGE_PATCH);
};

const renewLease = async (api: ApiClient, { nodeName }: KubeletOptions, now: Date): Promise<void> => {
  const spec = {
    holderIdentity: nodeName,
    leaseDurationSeconds: LEASE_SECONDS,
    renewTime: now.toISOString().replace('Z', '000Z'),
  };
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: nodeName }, spec };
  try {
    await api.call('PATCH', `${LEASES}/${nodeName}`, { spec }, MERGE_PATCH);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await api.call('POST', LEASES, lease);
  }
};

const postStaticPods = async (api: ApiClient, { options, staticPods, clock }: KubeletDependencies): Promise<void> => {
  for (const component of staticPods) {
    const pod = mirrorPod(options, component);
    await unless(isTaken, api.call('POST', PODS, asJson(pod)));
    const status = runningStatus(options, component, clock.now());
    await api.call('PATCH', `${PODS}/${pod.metadata.name}/status`, { status }, MERGE_PATCH);
  }
};

/**
 * A kubelet: registers its node, posts its status and its static pods, and then renews its lease every ten seconds, all
 * through the API server in its kubeconfig. A deleted node is not created again, because kubelet registers only when it
 * starts. Failures are retried for as long as the machine runs.
 */
export const makeKubelet = (dependencies: KubeletDependencies): Service => {
  const { options, clock, bootLog } = dependencies;
  return async (signal, onReady) => {
    onReady();
    const api = connectApi(dependencies);
    let lastProblem = '';
    const attempt = async (work: () => Promise<void>): Promise<boolean> => {
      try {
        await work();
        lastProblem = '';
        return true;
      } catch (error) {
        if (messageOf(error) !== lastProblem) bootLog.line('kubelet', messageOf(error));
        lastProblem = messageOf(error);
        return false;
      }
    };
    const register = () => unless(isTaken, api.call('POST', '/api/v1/nodes', asJson(newNode(options))));
    const introduce = async (): Promise<void> => {
      await postStatus(api, options, clock.now());
      await renewLease(api, options, clock.now());
      await postStaticPods(api, dependencies);
    };
    const beat = async (): Promise<void> => {
      await renewLease(api, options, clock.now());
      const current = (await api.call('GET', nodePath(options.nodeName))) as unknown as Node;
      const ready = current.status?.conditions?.find(({ type }) => type === 'Ready');
      if (ready?.status === 'True') return;
      await postStatus(api, options, clock.now());
      await postStaticPods(api, dependencies);
    };
    const persist = async (work: () => Promise<void>): Promise<void> => {
      const begun = clock.now().getTime();
      while (!(await attempt(work))) await clock.sleep(pauseSince(begun, dependencies), signal);
    };
    try {
      await persist(register);
      // Separate from the registration: a node that is deleted in between must not be created again by the next
      // attempt.
      await persist(introduce);
      bootLog.line('kubelet', `Successfully registered node ${options.nodeName}`);
      for (;;) {
        await clock.sleep(HEARTBEAT_MILLISECONDS, signal);
        await attempt(beat);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      api.close();
    }
  };
};
