/** Changes to a running cluster that do not replace machines. */
import type { Api } from '../../../infra/cli/api/client.ts';
import { systemClock } from '../../../shared/clock.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { CLUSTER, isWorker, MERGE, OWNER, pathOf } from './clusters.ts';
import type { Provider } from './conditions.ts';

/** Pauses the control plane with its annotation, or resumes it. */
export const pauseControlPlane = (api: Api, isPaused: boolean): Promise<unknown> =>
  api.send('PATCH', OWNER, { metadata: { annotations: { 'cluster.x-k8s.io/paused': isPaused ? '' : null } } }, MERGE);

export const pauseCluster = (api: Api, paused: boolean): Promise<unknown> =>
  api.send('PATCH', CLUSTER, { spec: { paused } }, MERGE);

/** Settings in the machine template of the control plane that are applied to existing machines. */
export interface InPlace {
  labels: Record<string, string | null>;
  annotations: Record<string, string | null>;
  spec: object;
}

export const changeInPlace = (api: Api, { spec, ...metadata }: InPlace): Promise<unknown> =>
  api.send('PATCH', OWNER, { spec: { machineTemplate: { metadata, spec } } }, MERGE);

type Machine = KubeObject & { spec: { readinessGates?: unknown; deletion?: unknown } };

/**
 * The distinct labels, annotations and fields of the control plane's machines, and those of their configurations and
 * infrastructure machines.
 */
export const readInPlace = async (api: Api, provider: Provider, { labels, annotations }: InPlace) => {
  const kinds = [
    ['cluster.x-k8s.io', 'machines'],
    ['bootstrap.cluster.x-k8s.io', 'kubeadmconfigs'],
    ['infrastructure.cluster.x-k8s.io', `${provider.toLowerCase()}machines`],
  ] as const;
  const only = (from: object | undefined, keys: object) =>
    Object.fromEntries(Object.entries(from ?? {}).filter(([key]) => key in keys));
  const read = async (group: string, plural: string) => {
    const { items } = await api.send<{ items: Machine[] }>('GET', pathOf(group, plural));
    const own = items.filter((one) => !isWorker(one));
    const texts = own.map(({ metadata, spec }) =>
      JSON.stringify({
        labels: only(metadata.labels, labels),
        annotations: only(metadata.annotations, annotations),
        ...(plural === 'machines' ? { gates: spec.readinessGates, deletion: spec.deletion } : {}),
      }),
    );
    return [...new Set(texts)].sort();
  };
  const found = await Promise.all(kinds.map(([group, plural]) => read(group, plural)));
  return { machines: found[0], configurations: found[1], infrastructure: found[2] };
};

/** Reads until `isDone` accepts the result or the time is up. Returns the last result. */
export const readUntil = async <T>(read: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> => {
  const deadline = Date.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const found = await read();
    if (isDone(found) || Date.now() > deadline) return found;
    await systemClock.sleep(1000);
  }
};
