/** Counts the usage of a cluster's lifecycle: on the laptop, with the deployed functions and workflows. */
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { HOURLY_MINUTES } from '../../../../functions/drift/left-over/hourly.ts';
import { systemClock } from '../../../../shared/clock.ts';
import type { Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { isControlPlaneMachine } from '../../../../shared/plan/labels.ts';
import { addUsage, timesUsage, type Usage, usageSince } from '../../../../shared/providers/aws/plan/cost/usage.ts';
import { loadAssembly } from '../../../local/template.ts';
import { ApiError } from '../../api/client.ts';
import { apply } from '../../apply/apply.ts';
import { readManifests } from '../../apply/manifest.ts';
import { ROOT } from '../../paths.ts';
import { readCluster } from '../../progress/snapshot.ts';
import { isComplete } from '../../progress/verdict.ts';
import { measureFleet } from '../fleet/measure.ts';
import { fixedUsage } from './fixed.ts';
import { type MeteredLaptop, startMetered } from './laptop.ts';
import { type Counted, SWEEP_MINUTES } from './model.ts';
import { watchHour } from './watch-hour.ts';

const CLUSTER = { namespace: 'default', name: 'quickstart' };
const CORE = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default';
const PATH = `${CORE}/clusters/${CLUSTER.name}`;
const SIZE = { controlPlane: 3, workers: 10 };
const MERGE = 'application/merge-patch+json';
const BYTES_PER_GIGABYTE = 1024 ** 3;

const HEALTH_CHECK = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineHealthCheck',
  metadata: { name: 'workers' },
  spec: {
    clusterName: CLUSTER.name,
    selector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': CLUSTER.name } },
    checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] },
  },
};

/** A cluster with a health check is due again half a minute after a pass (functions/cluster/objects/finish/due.ts). */
const DUE_MILLISECONDS = 35_000;

const sized = (object: KubeObject): KubeObject => {
  const replicas = { KubeadmControlPlane: SIZE.controlPlane, MachineDeployment: SIZE.workers }[object.kind];
  const { spec } = object as { spec?: object };
  return replicas === undefined ? object : ({ ...object, spec: { ...spec, replicas } } as KubeObject);
};

const isGone = async ({ api }: MeteredLaptop): Promise<boolean> => {
  try {
    await api.send('GET', PATH);
    return false;
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 404) return true;
    throw error;
  }
};

const create = (metered: MeteredLaptop): Promise<Usage> => {
  const { api, used } = metered;
  const manifests = readManifests(join(ROOT, 'examples', 'quickstart.yaml'));
  const act = async () => {
    const objects = manifests.map((manifest) => ({ ...manifest, object: sized(manifest.object) }));
    const refusals = await apply(api, objects, () => {});
    if (refusals.length > 0) throw new Error(refusals.join('\n'));
  };
  return used('the cluster is created', act, async () => isComplete(await readCluster(api, CLUSTER)));
};

const replace = async ({ api, used }: MeteredLaptop, isControlPlane: boolean): Promise<Usage> => {
  const { items } = await api.send<{ items: Machine[] }>('GET', `${CORE}/machines`);
  const machine = items.find((one) => isControlPlaneMachine(one) === isControlPlane);
  if (!machine) throw new Error('there is no machine to be replaced');
  const { name } = machine.metadata;
  const isOver = async () => {
    const now = await api.send<{ items: Machine[] }>('GET', `${CORE}/machines`);
    const isAway = now.items.every(({ metadata }) => metadata.name !== name);
    return isAway && isComplete(await readCluster(api, CLUSTER));
  };
  return used(`${name} is replaced`, () => api.send('DELETE', `${CORE}/machines/${name}`), isOver);
};

const pause = ({ api, used }: MeteredLaptop, paused: boolean) =>
  used('the pause', () => api.send('PATCH', PATH, { spec: { paused } }, MERGE));

const healthCheck = async (metered: MeteredLaptop, without: Usage): Promise<Usage> => {
  const { api, laptop, used } = metered;
  await used('the health check', () => api.send('POST', `${CORE}/machinehealthchecks`, HEALTH_CHECK));
  await systemClock.sleep(DUE_MILLISECONDS);
  const sweep = await used('a sweep with a health check', () => laptop.runtime.invoke('Windlass-drift', {}));
  await used('the end of it', () => api.send('DELETE', `${CORE}/machinehealthchecks/${HEALTH_CHECK.metadata.name}`));
  const units = new Set([...Object.keys(sweep), ...Object.keys(without)]) as Set<keyof Usage>;
  return Object.fromEntries([...units].map((unit) => [unit, (sweep[unit] ?? 0) - (without[unit] ?? 0)]));
};

/** A read unit covers 8 KB: a scan is billed half a unit for each 4 KB. */
const BYTES_PER_UNIT = 8 * 1024;

const tableBytes = async ({ laptop: { access } }: MeteredLaptop): Promise<number> => {
  const { region, awsUrl: endpoint, credentials } = access;
  const client = new DynamoDBClient({ region, endpoint, credentials });
  try {
    const { TableNames: [TableName] = [] } = await client.send(new ListTablesCommand({}));
    let units = 0;
    let from: ScanCommandOutput['LastEvaluatedKey'];
    do {
      const page: ScanCommandOutput = await client.send(
        new ScanCommand({ TableName, ReturnConsumedCapacity: 'TOTAL', ExclusiveStartKey: from }),
      );
      units += page.ConsumedCapacity?.CapacityUnits ?? 0;
      from = page.LastEvaluatedKey;
    } while (from);
    return units * BYTES_PER_UNIT;
  } finally {
    client.destroy();
  }
};

/**
 * The sizes of two fleets. Their difference gives the usage of additional clusters, because both include the same
 * number of detailed checks.
 */
const FLEETS = [100, 200] as const;

/** The additional usage of a sweep for each further cluster, on average over an hour. */
const furtherCluster = async (say: (text: string) => void): Promise<Usage> => {
  const share = SWEEP_MINUTES / HOURLY_MINUTES;
  const added = async (isHourly: boolean): Promise<Usage> => {
    const sweeps = await measureFleet({ clusters: FLEETS, others: 0, shards: 1, isHourly }, say);
    const [less, more] = sweeps.map(({ usage }) => usage);
    return timesUsage(usageSince(less ?? {}, more ?? {}), 1 / (FLEETS[1] - FLEETS[0]));
  };
  return addUsage(timesUsage(await added(false), 1 - share), timesUsage(await added(true), share));
};

/** Takes a cluster through its lifecycle. `say` reports each step, because real boot times make this slow. */
export const countCosts = async (bootSeconds: number, say: (text: string) => void): Promise<Counted> => {
  const further = await furtherCluster(say);
  const metered = await startMetered(bootSeconds);
  const step = async <T>(what: string, act: () => Promise<T>): Promise<T> => {
    say(`${what}...`);
    return act();
  };
  try {
    const { meter } = metered.laptop;
    const empty = await step('Sweeps without clusters', metered.sweep);
    const idle = meter.metrics();
    const bytesBefore = await tableBytes(metered);
    const created = await step('Creation of a cluster', () => create(metered));
    const near = await step('Sweeps', metered.sweep);
    const bytes = (await tableBytes(metered)) - bytesBefore;
    const watch = await step('A watch', () => watchHour(metered, `${CORE}/machines`));
    const checked = await step('A health check', () => healthCheck(metered, near));
    await pause(metered, true);
    const far = await step('Sweeps that do not ask its nodes', metered.sweep);
    await pause(metered, false);
    const replaceWorker = await step('Replacement of a worker', () => replace(metered, false));
    const replaceControlPlane = await step('Replacement of a control plane machine', () => replace(metered, true));
    const remove = await step('Deletion', () =>
      metered.used(
        'the cluster is deleted',
        () => metered.api.send('DELETE', PATH),
        () => isGone(metered),
      ),
    );
    return {
      bootSeconds,
      ...SIZE,
      fixed: fixedUsage(loadAssembly(metered.outdir).template.Resources),
      metrics: { idle, alive: meter.metrics() },
      sweep: { empty, far, near, further },
      create: created,
      remove,
      replaceControlPlane,
      replaceWorker,
      healthCheck: checked,
      watchHour: watch,
      tableGigabytes: bytes / BYTES_PER_GIGABYTE,
    };
  } finally {
    await metered.stop();
  }
};
