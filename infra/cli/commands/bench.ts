import { tableOf } from '../bench/figures.ts';
import { readPrices } from '../prices.ts';

const print = (figures: unknown, table: string, json: boolean): void =>
  void process.stdout.write(`${json ? JSON.stringify(figures) : table}\n`);

interface BenchOptions {
  json: boolean;
  /** Simulated boot time in seconds, where a suite lets people choose. */
  boot?: number;
  /** Of the suite `fleet`: sizes of fleets, instances of others, functions that sweep. */
  clusters?: readonly number[];
  others?: number;
  shards?: number;
  /** So many of these functions are measured. */
  measured?: number;
  /** Of the suite `storm`: whole clusters on the laptop. */
  live?: boolean;
}

/** About what EC2 and kubeadm take. */
const REAL_BOOT_SECONDS = 150;

const benchCost = async (json: boolean, boot = REAL_BOOT_SECONDS): Promise<void> => {
  const { countCosts } = await import('../bench/cost/measure.ts');
  const { summarizeCosts, tableOfCosts } = await import('../bench/cost/text.ts');
  const lists = readPrices(process.env.WINDLASS_PRICES);
  const counted = await countCosts(boot, (text) => process.stderr.write(`${text}\n`));
  print(summarizeCosts(counted, lists), tableOfCosts(counted, lists), json);
};

const MACHINES = 13;
const SHARE = 0.9;

/** On a virtual clock, with and without turns; with `live` on the laptop, in real time. */
const benchStorm = async (json: boolean, clusters: readonly number[], live: boolean): Promise<void> => {
  const { tableOfLaunches, tableOfStorm } = await import('../bench/storm/text.ts');
  if (live) {
    const { measureStorm } = await import('../bench/storm/measure.ts');
    const figures = await measureStorm(clusters[0] ?? 10, (text) => process.stderr.write(`${text}\n`));
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

/**
 * Measures the laptop, with `kube-api` its API beside a kube-apiserver, with `lifecycle` what rollouts cost, with
 * `topology` what a change of a class costs that many clusters use, with `fleet` what a sweep of a large fleet takes, with `storm` how AWS's limits
 * on calls hold up many clusters that are asked for at once, with `cost` what an installation costs a month, or with
 * `aws` how often AWS is called, also by sweeps over 10, 100 and 1,000 clusters, and prints the figures, as a table or
 * as one JSON object. Resolves to the exit code: 1 where there is no such suite. The figures are no test: slow computers
 * are no failure.
 */
export const bench = async (
  suite: string | undefined,
  { json, boot, clusters = [100, 1_000], others = 1_000, shards = 1, measured, live = false }: BenchOptions,
): Promise<number> => {
  if (suite === 'kube-api') {
    const { measureKubeApi } = await import('../bench/kube-api.ts');
    const { summarize, tableOfKubeApi } = await import('../bench/kube-api-figures.ts');
    const figures = await measureKubeApi();
    print(summarize(figures), tableOfKubeApi(figures), json);
    return 0;
  }
  if (suite === 'lifecycle') {
    const { measureLifecycle, tableOfLifecycle } = await import('../bench/lifecycle.ts');
    const figures = await measureLifecycle();
    print(figures, tableOfLifecycle(figures), json);
    return 0;
  }
  if (suite === 'topology') {
    const { measureTopology, tableOfTopology } = await import('../bench/topology.ts');
    const figures = await measureTopology();
    print(figures, tableOfTopology(figures), json);
    return 0;
  }
  if (suite === 'aws') {
    const { measureAws } = await import('../bench/aws.ts');
    const { summarizeAws, tableOfAws } = await import('../bench/aws-figures.ts');
    const figures = await measureAws();
    print(summarizeAws(figures), tableOfAws(figures), json);
    return 0;
  }
  if (suite === 'fleet') {
    const { measureFleet } = await import('../bench/fleet/measure.ts');
    const { tableOfFleet } = await import('../bench/fleet/text.ts');
    const figures = await measureFleet({ clusters, others, shards, measured }, (text) =>
      process.stderr.write(`${text}\n`),
    );
    print(figures, tableOfFleet(figures), json);
    return 0;
  }
  if (suite === 'storm') {
    await benchStorm(json, clusters, live);
    return 0;
  }
  if (suite === 'cost') {
    await benchCost(json, boot);
    return 0;
  }
  if (suite !== undefined) {
    process.stderr.write(`there is no suite "${suite}"\n`);
    return 1;
  }
  const { measure } = await import('../bench/measure.ts');
  const figures = await measure();
  print(figures, tableOf(figures), json);
  return 0;
};
