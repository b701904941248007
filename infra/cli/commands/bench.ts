import { BOOT_SECONDS, tableOf } from '../bench/figures.ts';
import { readPrices } from '../prices.ts';

const print = (figures: unknown, table: string, json: boolean): void =>
  void process.stdout.write(`${json ? JSON.stringify(figures) : table}\n`);

interface BenchOptions {
  json: boolean;
  /** Simulated boot time in seconds, where a suite lets people choose. */
  boot?: number;
  /** Sizes of fleets in the suite `fleet`; clusters at once in `storm`, `clusters` and `peer`. */
  clusters?: readonly number[];
  /** Of the suite `fleet`: instances of others, functions that sweep. */
  others?: number;
  shards?: number;
  /** So many of these functions are measured. */
  measured?: number;
  /** Of the suite `storm`: whole clusters on the laptop. */
  live?: boolean;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** About what EC2 and kubeadm take. */
const REAL_BOOT_SECONDS = 150;

const benchCost = async ({ json, boot = REAL_BOOT_SECONDS }: BenchOptions): Promise<void> => {
  const { countCosts } = await import('../bench/cost/measure.ts');
  const { summarizeCosts, tableOfCosts } = await import('../bench/cost/text.ts');
  const lists = readPrices(process.env.WINDLASS_PRICES);
  const counted = await countCosts(boot, say);
  print(summarizeCosts(counted, lists), tableOfCosts(counted, lists), json);
};

const MACHINES = 13;
const SHARE = 0.9;
const SIZES = [100, 1_000];

/** On a virtual clock, with and without turns; with `live` on the laptop, in real time. */
const benchStorm = async ({ json, clusters = SIZES, live = false }: BenchOptions): Promise<void> => {
  const { tableOfLaunches, tableOfStorm } = await import('../bench/storm/text.ts');
  if (live) {
    const { measureStorm } = await import('../bench/storm/measure.ts');
    const figures = await measureStorm(clusters[0] ?? 10, say);
    return print(figures, tableOfStorm(figures), json);
  }
  const { launchAtOnce } = await import('../bench/storm/launches.ts');
  const figures = [];
  for (const size of clusters) {
    const options = { machines: size * MACHINES, processes: 2 * size };
    figures.push(await launchAtOnce({ ...options, share: SHARE }), await launchAtOnce(options));
  }
  print(figures, tableOfLaunches(figures), json);
};

const benchFleet = async (options: BenchOptions): Promise<void> => {
  const { json, clusters = SIZES, others = 1_000, shards = 1, measured } = options;
  const { measureFleet } = await import('../bench/fleet/measure.ts');
  const { tableOfFleet } = await import('../bench/fleet/text.ts');
  const figures = await measureFleet({ clusters, others, shards, measured }, say);
  print(figures, tableOfFleet(figures), json);
};

const benchKubeApi = async ({ json }: BenchOptions): Promise<void> => {
  const { measureKubeApi } = await import('../bench/kube-api.ts');
  const { summarize, tableOfKubeApi } = await import('../bench/kube-api-figures.ts');
  const figures = await measureKubeApi();
  print(summarize(figures), tableOfKubeApi(figures), json);
};

const benchLifecycle = async ({ json }: BenchOptions): Promise<void> => {
  const { measureLifecycle, tableOfLifecycle } = await import('../bench/lifecycle.ts');
  const figures = await measureLifecycle();
  print(figures, tableOfLifecycle(figures), json);
};

const benchTopology = async ({ json }: BenchOptions): Promise<void> => {
  const { measureTopology, tableOfTopology } = await import('../bench/topology.ts');
  const figures = await measureTopology();
  print(figures, tableOfTopology(figures), json);
};

const benchAws = async ({ json }: BenchOptions): Promise<void> => {
  const { measureAws } = await import('../bench/aws.ts');
  const { summarizeAws, tableOfAws } = await import('../bench/aws-figures.ts');
  const figures = await measureAws();
  print(summarizeAws(figures), tableOfAws(figures), json);
};

const PEER_BOOT_SECONDS = 14;

/** One cluster of 3+10, or so many of one machine. */
const benchPeer = async ({ json, clusters, boot = PEER_BOOT_SECONDS }: BenchOptions): Promise<void> => {
  const { measurePeer } = await import('../bench/peer/measure.ts');
  const { tableOfPeer } = await import('../bench/peer/text.ts');
  const shape = clusters ? { controlPlane: 1, workers: 0 } : { controlPlane: 3, workers: 10 };
  const load = { ...shape, clusters: clusters?.[0] ?? 1, bootSeconds: boot };
  const figures = await measurePeer(load, say);
  print(figures, tableOfPeer(figures), json);
};

const THROUGHPUT_SIZES = [5, 20, 60];

const benchClusters = async (options: BenchOptions): Promise<void> => {
  const { json, clusters = THROUGHPUT_SIZES, boot = BOOT_SECONDS } = options;
  const { measureThroughput, tableOfThroughput } = await import('../bench/load/throughput.ts');
  const figures = await measureThroughput(clusters, boot, say);
  print(figures, tableOfThroughput(figures), json);
};

const benchStart = async ({ json }: BenchOptions): Promise<void> => {
  const { measure } = await import('../bench/measure.ts');
  const figures = await measure();
  print(figures, tableOf(figures), json);
};

const SUITES: Readonly<Record<string, (options: BenchOptions) => Promise<void>>> = {
  start: benchStart,
  'kube-api': benchKubeApi,
  lifecycle: benchLifecycle,
  topology: benchTopology,
  aws: benchAws,
  fleet: benchFleet,
  storm: benchStorm,
  cost: benchCost,
  peer: benchPeer,
  clusters: benchClusters,
};

/**
 * Measures the laptop (`start`), with `kube-api` its API beside a kube-apiserver, with `lifecycle` what rollouts cost, with
 * `topology` what a change of a class costs that many clusters use, with `fleet` what a sweep of a large fleet takes, with
 * `storm` how AWS's limits on calls hold up many clusters that are asked for at once, with `cost` what an installation
 * costs a month, with `peer` Windlass beside Cluster API, with `clusters` many of them at once, or with `aws` how often AWS is called, also by sweeps over 10,
 * 100 and 1,000 clusters, and prints the figures, as a table or as one JSON object. Resolves to the exit code: 1 where
 * there is no such suite. The figures are no test: slow computers are no failure.
 */
export const bench = async (suite: string | undefined, options: BenchOptions): Promise<number> => {
  const measure = SUITES[suite ?? 'start'];
  if (!measure) {
    say(`there is no suite "${suite}": choose ${Object.keys(SUITES).join(', ')}`);
    return 1;
  }
  await measure(options);
  return 0;
};
