/** Hooks that update the displayed data while it is visible. */
import { useEffect, useState } from 'preact/hooks';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { type ClusterObjects, readObjects } from '../../describe/objects.ts';
import { makePageApi, pageFetch } from './client.ts';
import { follow } from './follow.ts';

const CORE = '/apis/cluster.x-k8s.io/v1beta2';

/** New objects show their age in seconds. */
const TICK_MILLISECONDS = 5000;

/** Objects that are not watched, such as those of the network, are read again at the latest after this time. */
const REREAD_MILLISECONDS = 10_000;

/** The pause between two reads of a cluster, however often it changes. */
const PAUSE_MILLISECONDS = 500;

export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

export const useNow = (): Date => {
  const [now, setNow] = useState(new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MILLISECONDS);
    return () => clearInterval(timer);
  }, []);
  return now;
};

/**
 * Whether the tab is visible. A hidden tab sends no requests, because each watch occupies one of the six connections of
 * a browser.
 */
export const useVisible = (): boolean => {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const change = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', change);
    return () => document.removeEventListener('visibilitychange', change);
  }, []);
  return isVisible;
};

export interface Live<T> {
  /** Undefined until it has been read. */
  value?: T;
  /** The reason why it is not up to date. */
  problem?: string;
}

/** All clusters, or those of a namespace. */
export const useClusters = (namespace: string | undefined): Live<readonly KubeObject[]> => {
  const [live, setLive] = useState<Live<readonly KubeObject[]>>({});
  const isVisible = useVisible();
  useEffect(() => {
    if (!isVisible) return;
    const { signal, abort } = aborted();
    const path = `${CORE}${namespace === undefined ? '' : `/namespaces/${namespace}`}/clusters`;
    const onObjects = (value: readonly KubeObject[]) => setLive((before) => ({ ...before, value }));
    const onProblem = (problem: string | undefined) => setLive((before) => ({ ...before, problem }));
    void follow({ send: pageFetch, sleep, path, signal, onObjects, onProblem });
    return abort;
  }, [namespace, isVisible]);
  return live;
};

const aborted = () => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
};

/** Makes one call at a time; requests during a call cause one more call after a pause. */
const makeRefresh = (read: () => Promise<void>, pause: () => Promise<void>) => {
  let isRunning = false;
  let isWanted = false;
  return async (): Promise<void> => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await read();
      await pause();
    }
    isRunning = false;
  };
};

/** A cluster with its objects; null if it does not exist (any more). */
export type LiveCluster = Live<ClusterObjects | null>;

/** Reads the cluster, and reads it again whenever it or one of its machines changes, until the signal aborts. */
const followCluster = (namespace: string, name: string, signal: AbortSignal, show: (live: LiveCluster) => void) => {
  const api = makePageApi(pageFetch);
  const read = async (): Promise<void> => {
    try {
      const value = (await readObjects(api, { namespace, name })) ?? null;
      if (!signal.aborted) show({ value, problem: undefined });
    } catch (error) {
      if (!signal.aborted) show({ problem: `Not up to date: ${(error as Error).message}` });
    }
  };
  const refresh = makeRefresh(read, () => sleep(PAUSE_MILLISECONDS, signal).catch(() => undefined));
  const onObjects = () => void refresh();
  const onProblem = (problem: string | undefined) => problem && show({ problem });
  const base = `${CORE}/namespaces/${namespace}`;
  const common = { send: pageFetch, sleep, signal, onObjects, onProblem };
  const field = `fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
  const label = `labelSelector=${encodeURIComponent(`cluster.x-k8s.io/cluster-name=${name}`)}`;
  void follow({ ...common, path: `${base}/clusters`, query: field });
  void follow({ ...common, path: `${base}/machines`, query: label });
  return refresh;
};

export const useCluster = (namespace: string, name: string): LiveCluster => {
  const [live, setLive] = useState<LiveCluster>({});
  const isVisible = useVisible();
  useEffect(() => setLive({}), [namespace, name]);
  useEffect(() => {
    if (!isVisible) return;
    const { signal, abort } = aborted();
    const show = (next: LiveCluster) => setLive((before) => ({ ...before, ...next }));
    const refresh = followCluster(namespace, name, signal, show);
    const timer = setInterval(() => void refresh(), REREAD_MILLISECONDS);
    return () => {
      clearInterval(timer);
      abort();
    };
  }, [namespace, name, isVisible]);
  return live;
};
