import { BOOT_SECONDS, tableOf } from '../bench/figures.ts';
import { readPrices } from '../prices.ts';

/** The results of a suite, for programs and for readers. */
interface Measured {
  figures: unknown;
  table: string;
}

interface BenchOptions {
  json: boolean;
  /** Keeps the figures for docs/performance.md, if they are shown there. */
  record?: boolean;
  /** Simulated boot time in seconds, for suites with this option. */
  boot?: number;
  /** Sizes of fleets in `fleet`, of a namespace in `partitions`; clusters at once in `storm`, `clusters` and `peer`. */
  clusters?: readonly number[];
  /** For the suite `fleet`: instances of other owners, and functions that sweep. */
  others?: number;
  shards?: number;
  /** The number of these functions that are measured. */
  measured?: number;
  /** For the suite `storm`: complete clusters on the laptop. */
  live?: boolean;
}

const measured = (figures: unknown, table: string): Measured => ({ figures, table });

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** About the time that EC2 and kubeadm take. */
const REAL_BOOT_SECONDS = 150;

const benchCost = async ({ boot = REAL_BOOT_SECONDS }: BenchOptions): Promise<Measured> => {
  const { countCosts } = await import('../bench/cost/measure.ts');
  const { summarizeCosts, tableOfCosts } = await import('../bench/cost/text.ts');
  const lists = readPrices(process.env.WINDLASS_PRICES);
  const counted = await countCosts(boot, say);
  return measured(summarizeCosts(counted, lists), tableOfCosts(counted, lists));
};

const MACHINES = 13;
const SHARE = 0.9;
const SIZES = [100, 1_000];

/** On a virtual clock, with and without turns; with `live`, on the laptop in real time. */
const benchStorm = async ({ clusters = SIZES, live = false }: BenchOptions): Promise<Measured> => {
  const { tableOfLaunches, tableOfStorm } = await import('../bench/storm/text.ts');
  if (live) {
    const { measureStorm } = await import('../bench/storm/measure.ts');
    const figures = await measureStorm(clusters[0] ?? 10, say);
    return measured(figures, tableOfStorm(figures));
  }
  const { launchAtOnce } = await import('../bench/storm/launches.ts');
  const figures = [];
  for (const size of clusters) {
    const options = { machines: size * MACHINES, processes: 2 * size };
    figures.push(await launchAtOnce({ ...options, share: SHARE }), await launchAtOnce(options));
  }
  return measured(figures, tableOfLaunches(figures));
};

const benchFleet = async (options: BenchOptions): Promise<Measured> => {
  const { clusters = SIZES, others = 1_000, shards = 1, measured: count } = options;
  const { measureFleet } = await import('../bench/fleet/measure.ts');
  const { tableOfFleet } = await import('../bench/fleet/text.ts');
  const figures = await measureFleet({ clusters, others, shards, measured: count }, say);
  return measured(figures, tableOfFleet(figures));
};

const NAMESPACES = [1_000, 5_000];

const benchPartitions = async ({ clusters = NAMESPACES }: BenchOptions): Promise<Measured> => {
  const { measurePartitions } = await import('../bench/partitions/measure.ts');
  const { tableOfPartitions } = await import('../bench/partitions/text.ts');
  const figures = await measurePartitions(clusters, say);
  return measured(figures, tableOfPartitions(figures));
};

const benchKubeApi = async (): Promise<Measured> => {
  const { measureKubeApi } = await import('../bench/kube-api.ts');
  const { summarize, tableOfKubeApi } = await import('../bench/kube-api-figures.ts');
  const figures = await measureKubeApi();
  return measured(summarize(figures), tableOfKubeApi(figures));
};

const benchLifecycle = async (): Promise<Measured> => {
  const { measureLifecycle, tableOfLifecycle } = await import('../bench/lifecycle.ts');
  const figures = await measureLifecycle();
  return measured(figures, tableOfLifecycle(figures));
};

const benchIsolation = async (): Promise<Measured> => {
  const { measureIsolation, tableOfIsolation } = await import('../bench/isolation.ts');
  const figures = await measureIsolation();
  return measured(figures, tableOfIsolation(figures));
};

const benchTopology = async (): Promise<Measured> => {
  const { measureTopology, tableOfTopology } = await import('../bench/topology.ts');
  const figures = await measureTopology();
  return measured(figures, tableOfTopology(figures));
};

const benchAws = async (): Promise<Measured> => {
  const { measureAws } = await import('../bench/aws.ts');
  const { summarizeAws, tableOfAws } = await import('../bench/aws-figures.ts');
  const figures = await measureAws();
  return measured(summarizeAws(figures), tableOfAws(figures));
};

const PEER_BOOT_SECONDS = 14;

/** One cluster of 3+10 machines, or the given number of clusters with one machine. */
const benchPeer = async ({ clusters, boot = PEER_BOOT_SECONDS }: BenchOptions): Promise<Measured> => {
  const { measurePeer } = await import('../bench/peer/measure.ts');
  const { tableOfPeer } = await import('../bench/peer/text.ts');
  const shape = clusters ? { controlPlane: 1, workers: 0 } : { controlPlane: 3, workers: 10 };
  const load = { ...shape, clusters: clusters?.[0] ?? 1, bootSeconds: boot };
  const figures = await measurePeer(load, say);
  return measured(figures, tableOfPeer(figures));
};

const THROUGHPUT_SIZES = [5, 20, 60, 300];

const benchClusters = async (options: BenchOptions): Promise<Measured> => {
  const { clusters = THROUGHPUT_SIZES, boot = BOOT_SECONDS } = options;
  const { measureThroughput, tableOfThroughput } = await import('../bench/load/throughput.ts');
  const figures = await measureThroughput(clusters, boot, say);
  return measured(figures, tableOfThroughput(figures));
};

const benchStart = async (): Promise<Measured> => {
  const { measure } = await import('../bench/measure.ts');
  const figures = await measure();
  return measured(figures, tableOf(figures));
};

const benchImports = async (): Promise<Measured> => {
  const { measureImports, tableOfImports } = await import('../bench/imports.ts');
  const figures = await measureImports();
  return measured(figures, tableOfImports(figures));
};

const SUITES: Readonly<Record<string, (options: BenchOptions) => Promise<Measured>>> = {
  start: benchStart,
  'kube-api': benchKubeApi,
  lifecycle: benchLifecycle,
  topology: benchTopology,
  aws: benchAws,
  fleet: benchFleet,
  isolation: benchIsolation,
  storm: benchStorm,
  partitions: benchPartitions,
  cost: benchCost,
  peer: benchPeer,
  clusters: benchClusters,
  imports: benchImports,
};

/** The command line for these options. */
const commandOf = (suite: string, { clusters, boot, others, shards, measured: count }: BenchOptions): string => {
  const given = { clusters: clusters?.join(','), boot, others, shards, measured: count };
  const flags = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : `--${name} ${value}`));
  return ['npm run bench --', suite, ...flags].join(' ');
};

const runSuite = async (suite: string, options: BenchOptions): Promise<number> => {
  const measure = SUITES[suite];
  if (!measure) {
    say(`there is no suite "${suite}": choose report, ${Object.keys(SUITES).join(', ')}`);
    return 1;
  }
  const { circumstances, isRecorded, record } = await import('../bench/report/report.ts');
  if (options.record && !isRecorded(suite)) {
    say(`docs/performance.md does not show the suite "${suite}"`);
    return 1;
  }
  const before = circumstances();
  const { figures, table } = await measure(options);
  if (options.record) record(suite, { command: commandOf(suite, options), ...before, figures });
  process.stdout.write(`${options.json ? JSON.stringify(figures) : table}\n`);
  return 0;
};

/** The suites in docs/performance.md, in the order in which they are measured. */
const REPORTED: readonly [string, Omit<BenchOptions, 'json'>][] = [
  ['imports', {}],
  ['lifecycle', {}],
  ['kube-api', {}],
  ['clusters', {}],
  ['fleet', { clusters: [200, 400, 1_000], others: 60_000 }],
  ['peer', {}],
];

const report = async ({ json }: BenchOptions): Promise<number> => {
  for (const [suite, options] of REPORTED) {
    say(commandOf(suite, { ...options, json }));
    await runSuite(suite, { ...options, json, record: true });
  }
  const { writePerformance } = await import('../docs/performance/write.ts');
  await writePerformance();
  return 0;
};

/**
 * Measures one suite and prints the figures, as a table or as one JSON object. The figures are not a test: a slow
 * computer is not a failure.
 *
 * - without a suite: the laptop (`start`)
 * - `kube-api`: its API, compared with a kube-apiserver
 * - `lifecycle`: the cost of rollouts
 * - `topology`: the cost of changing a class that many clusters use
 * - `fleet`: a sweep of a large fleet
 * - `isolation`: the delay of sweeps from API servers that hang
 * - `storm`: the delay from AWS's call limits if many clusters are created at once
 * - `partitions`: the load on one partition of the table
 * - `cost`: the monthly cost of an installation
 * - `clusters`: many clusters at once
 * - `peer`: Windlass, compared with Cluster API
 * - `imports`: the load time of functions
 * - `aws`: the number of calls to AWS, also by sweeps over 10, 100 and 1,000 clusters
 * - `report`: measures everything in docs/performance.md, and writes that page
 *
 * Resolves to the exit code: 1 if there is no such suite.
 */
export const bench = (suite: string | undefined, options: BenchOptions): Promise<number> =>
  suite === 'report' ? report(options) : runSuite(suite ?? 'start', options);
