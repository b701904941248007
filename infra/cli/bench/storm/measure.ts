/** Creates many clusters at the same time, in real time, while AWS's rate limits apply. */
import { join } from 'node:path';
import { systemClock } from '../../../../shared/clock.ts';
import { type Cluster, type Event, kinds } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { isTrue } from '../../../../shared/plan/status/conditions.ts';
import { type Api, makeApi } from '../../api/client.ts';
import { apply } from '../../apply/apply.ts';
import { readManifests } from '../../apply/manifest.ts';
import { synth } from '../../commands/synth.ts';
import { ROOT } from '../../paths.ts';
import { startQuietLaptop } from '../quiet-laptop.ts';
import { type BucketFigures, makeTally } from './tally.ts';

export interface StormFigures {
  clusters: number;
  machines: number;
  /** Until the last cluster is complete. */
  seconds: number;
  /** Events that report a failed step. */
  failures: number;
  /** Events that report waiting because of a rate limit. */
  rateLimited: number;
  /** Updates of the table that grant turns. */
  leases: number;
  buckets: BucketFigures[];
}

const SIZE = { KubeadmControlPlane: 3, MachineDeployment: 10 } as Readonly<Record<string, number>>;
const MACHINES = 13;
const LOOK_MILLISECONDS = 5_000;
const BOOT_MILLISECONDS = 2_000;
const PATIENCE_SECONDS = 3 * 60 * 60;
const FAILED = ['FailedProvision', 'ReconcileFailed', 'FailedCreate'];

/** A copy of the quickstart with another name and in the measured size. */
const copyOf = (object: KubeObject, number: number): KubeObject => {
  const copy = JSON.parse(JSON.stringify(object).replaceAll('quickstart', `storm-${number}`)) as KubeObject;
  const replicas = SIZE[copy.kind];
  const { spec } = copy as { spec?: object };
  return replicas === undefined ? copy : ({ ...copy, spec: { ...spec, replicas } } as KubeObject);
};

const createAll = async (api: Api, clusters: number): Promise<void> => {
  const manifests = readManifests(join(ROOT, 'examples', 'quickstart.yaml'));
  for (let number = 1; number <= clusters; number += 1) {
    const copies = manifests.map((manifest) => ({ ...manifest, object: copyOf(manifest.object, number) }));
    const refusals = await apply(api, copies, () => {});
    if (refusals.length > 0) throw new Error(refusals.join('\n'));
  }
};

const listAll = async <T>(api: Api, { group, version, plural }: { group: string; version: string; plural: string }) => {
  const prefix = group ? `/apis/${group}/${version}` : `/api/${version}`;
  return (await api.send<{ items: T[] }>('GET', `${prefix}/namespaces/default/${plural}`)).items;
};

const untilComplete = async (api: Api, clusters: number, report: (text: string) => void): Promise<void> => {
  const end = performance.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const all = await listAll<Cluster>(api, kinds.cluster);
    const complete = all.filter(({ status }) => isTrue(status?.conditions, 'Available')).length;
    report(`${complete} of ${clusters} clusters are available`);
    if (complete === clusters) return;
    if (performance.now() > end)
      throw new Error(`not within ${PATIENCE_SECONDS} s: ${clusters} clusters are available`);
    await systemClock.sleep(LOOK_MILLISECONDS);
  }
};

/** Creates the clusters on a separate laptop, and does not delete them. */
export const measureStorm = async (clusters: number, report: (text: string) => void): Promise<StormFigures> => {
  const { outdir } = await synth({ quiet: true });
  const tally = makeTally();
  let leases = 0;
  const laptop = await startQuietLaptop({
    outdir,
    bootMilliseconds: BOOT_MILLISECONDS,
    calls: {
      onCall: (call, code, { input }) => {
        tally.count(call, input, code, performance.now());
        if (call.operation === 'UpdateItem' && call.request.body.includes('"turns|')) leases += 1;
      },
    },
  });
  const api = makeApi(laptop.access, systemClock);
  try {
    laptop.account.settings.throttling = true;
    const begun = performance.now();
    await createAll(api, clusters);
    await untilComplete(api, clusters, report);
    const seconds = Math.round((performance.now() - begun) / 1000);
    const events = await listAll<Event>(api, kinds.event);
    const count = (reasons: readonly string[]) =>
      events.filter(({ reason }) => reasons.includes(reason ?? '')).reduce((sum, event) => sum + (event.count ?? 1), 0);
    const counts = { failures: count(FAILED), rateLimited: count(['RateLimited']), leases };
    return { clusters, machines: clusters * MACHINES, seconds, ...counts, buckets: tally.figures() };
  } finally {
    api.close();
    await laptop.stop();
  }
};
