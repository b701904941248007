/** The figures that `npm run bench -- kube-api` measures, and how they are shown. */

export const OPERATIONS = ['get', 'list', 'create', 'patch', 'apply', 'watch'] as const;
type Operation = (typeof OPERATIONS)[number];

/** Milliseconds of each call, by operation and by the number of concurrent clients. */
export type Samples = Record<Operation, Record<number, number[]>>;

export interface ApiBundle {
  /** The entry point of the api function and everything that it imports before the first request. */
  bytes: number;
  /** The duration of the import in a new process: the shortest of many, because it is the least disturbed. */
  importMilliseconds: number;
}

export interface KubeApiFigures {
  ours: Samples;
  theirs: Samples;
  bundle: ApiBundle;
}

const TITLES: Readonly<Record<Operation, string>> = {
  get: 'get a machine',
  list: 'list 1000 machines',
  create: 'create a machine',
  patch: 'merge patch of a machine',
  apply: 'server-side apply of a machine',
  watch: 'from sending a write to its event',
};

/** The agreed limits, as multiples of the kube-apiserver's times. */
const LIMITS: Partial<Record<Operation, number>> = { get: 1, list: 1, create: 2, patch: 2, apply: 2 };

/** Explains to readers of the table what is compared. */
const COMPARED = [
  'Windlass as `npm start` runs it: one Node process with the simulated API Gateway (TLS), the api function in a worker',
  'thread, and dynalite in place of DynamoDB, reached through the AWS SDK over HTTP.',
  'kube-apiserver with etcd, TLS. The same client with kept connections asks both in turn, step by step.',
];

const BUNDLE_LIMITS = { bytes: 1024 * 1024, importMilliseconds: 250 };

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

/** Medians in milliseconds and their ratios, for programs. */
export const summarize = ({ ours, theirs, bundle }: KubeApiFigures) => ({
  operations: OPERATIONS.flatMap((operation) =>
    Object.keys(theirs[operation]).map((clients) => {
      const [mine, other] = [ours, theirs].map((samples) => median(samples[operation][Number(clients)] ?? []));
      const ratio = Number(mine) / Number(other);
      return {
        operation,
        clients: Number(clients),
        oursMilliseconds: rounded(Number(mine)),
        kubeApiserverMilliseconds: rounded(Number(other)),
        ratio: rounded(ratio),
      };
    }),
  ),
  bundle,
});

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The same as a readable table. */
export const tableOfKubeApi = (figures: KubeApiFigures): string => {
  const { operations, bundle } = summarize(figures);
  const line = (...cells: string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(34) : cell.padStart(16)))
      .join('')
      .trimEnd();
  const rows = operations.map(({ operation, clients, oursMilliseconds, kubeApiserverMilliseconds, ratio }) => {
    const limit = LIMITS[operation];
    const aim = operation === 'watch' ? '  at most 1000 ms' : limit === undefined ? '' : `  at most ${limit}x`;
    const cells = [oursMilliseconds, kubeApiserverMilliseconds].map((value) => `${value.toFixed(1)} ms`);
    return `${line(TITLES[operation], String(clients), ...cells, `${ratio.toFixed(1)}x`)}${aim}`;
  });
  return [
    ...COMPARED,
    '',
    line('median', 'clients', 'Windlass', 'kube-apiserver', 'ratio'),
    ...rows,
    '',
    `bundle of the api function   ${Math.round(bundle.bytes / 1024)} KB, at most ${BUNDLE_LIMITS.bytes / 1024} KB`,
    `its cold import, fastest     ${Math.round(bundle.importMilliseconds)} ms, at most ${BUNDLE_LIMITS.importMilliseconds} ms`,
  ].join('\n');
};
