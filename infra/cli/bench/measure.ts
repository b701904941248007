/** Measures how fast the laptop is and how much memory it needs, from outside, as users experience it. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../shared/clock.ts';
import { type Api, ApiError, makeApi } from '../api/client.ts';
import { apply } from '../apply/apply.ts';
import { readManifests } from '../apply/manifest.ts';
import { synth } from '../commands/synth.ts';
import { ROOT } from '../paths.ts';
import { readCluster } from '../progress/snapshot.ts';
import { isComplete } from '../progress/verdict.ts';
import { readAccess, residentMegabytes, startChild, stopChild } from './child.ts';
import { BOOT_SECONDS, type Figures, WORKERS } from './figures.ts';

const CLUSTER = { namespace: 'default', name: 'quickstart' };
const DEPLOYMENTS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machinedeployments';
const CLUSTERS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters';
/** Each poll takes several requests, which the measured process must answer in addition to its work. */
const LOOK_MILLISECONDS = 250;
const PATIENCE_SECONDS = 120;

const secondsOf = async (act: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await act();
  return Math.round(performance.now() - begun) / 1000;
};

const until = async (what: string, look: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + PATIENCE_SECONDS * 1000;
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`not within ${PATIENCE_SECONDS} s: ${what}`);
    await systemClock.sleep(LOOK_MILLISECONDS);
  }
};

const isGone = async (api: Api, path: string): Promise<boolean> => {
  try {
    await api.send('GET', path);
    return false;
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 404) return true;
    throw error;
  }
};

const isQuickstartComplete = async (api: Api): Promise<boolean> => isComplete(await readCluster(api, CLUSTER));

const applyQuickstart = async (api: Api): Promise<void> => {
  const refusals = await apply(api, readManifests(join(ROOT, 'examples', 'quickstart.yaml')), () => {});
  if (refusals.length > 0) throw new Error(refusals.join('\n'));
};

const scale = async (api: Api): Promise<void> => {
  const patch = { spec: { replicas: WORKERS } };
  await api.send('PATCH', `${DEPLOYMENTS}/${CLUSTER.name}-md-0/scale`, patch, 'application/merge-patch+json');
  await until(`${WORKERS} workers run`, () => isQuickstartComplete(api));
};

const remove = async (api: Api): Promise<void> => {
  await api.send('DELETE', `${CLUSTERS}/${CLUSTER.name}`);
  await until('the cluster is gone', () => isGone(api, `${CLUSTERS}/${CLUSTER.name}`));
};

const measureChild = async (child: ChildProcess, home: string, readySeconds: number): Promise<Figures> => {
  const api = makeApi(readAccess(home), systemClock);
  try {
    const applySeconds = await secondsOf(() => applyQuickstart(api));
    const availableSeconds = await secondsOf(() => until('the cluster is Available', () => isQuickstartComplete(api)));
    const scaleSeconds = await secondsOf(() => scale(api));
    const deleteSeconds = await secondsOf(() => remove(api));
    const oursSeconds = Math.round((availableSeconds - BOOT_SECONDS) * 1000) / 1000;
    const memory = residentMegabytes(child.pid);
    return {
      readySeconds,
      applySeconds,
      availableSeconds,
      oursSeconds,
      scaleSeconds,
      deleteSeconds,
      residentMegabytes: memory,
    };
  } finally {
    api.close();
  }
};

/** Starts everything in a separate process, takes one cluster through its lifecycle, and stops everything. */
export const measure = async (): Promise<Figures> => {
  await synth({ quiet: true });
  const home = mkdtempSync(join(tmpdir(), 'windlass-bench-'));
  try {
    const begun = performance.now();
    const child = await startChild(home, BOOT_SECONDS);
    const readySeconds = Math.round(performance.now() - begun) / 1000;
    return await measureChild(child, home, readySeconds).finally(() => stopChild(child));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};
