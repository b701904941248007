/** The part of docs/performance.md that is generated from docs/performance.json. */
import { type Recorded, type Report, wasBusy } from '../../bench/report/report.ts';

const BEGIN = '<!-- figures: npm run docs writes them from docs/performance.json -->';
const END = '<!-- end of figures -->';

const fixed = (value: number, digits = 1): string => value.toFixed(digits);

const tableOf = (header: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);

/** How the figures were measured. */
const sourceOf = (recorded: Recorded<unknown>): string => {
  const { command, date, node, processors, load } = recorded;
  const others = wasBusy(recorded)
    ? ` Other programs demanded ${fixed(load / processors)} times the computer's processors. This lengthens elapsed times, but affects processor times and ratios less.`
    : '';
  return `\`${command}\`, ${date}, Node.js ${node.slice(1)}, ${processors} processors.${others}`;
};

/** Without times if other programs determined how long everything took. */
const peerRows = (recorded: NonNullable<Report['peer']>): string[] => {
  const { load, windlass, clusterApi, clusterApiWithoutWaitSeconds } = recorded.figures;
  const ready = (seconds: number) => `${fixed(seconds)} s (${fixed(seconds / load.bootSeconds, 2)} times the boot)`;
  const seconds = (title: string, key: 'availableSeconds' | 'cpuSeconds' | 'deleteSeconds' | 'deleteCpuSeconds') => [
    title,
    `${fixed(windlass[key])} s`,
    `${fixed(clusterApi[key])} s`,
  ];
  const times = [
    ['all machines ready', ready(windlass.readySeconds), ready(clusterApi.readySeconds)],
    ['the same without the wait of Cluster API for its first connection', '', ready(clusterApiWithoutWaitSeconds)],
    seconds('Available', 'availableSeconds'),
    seconds('deleted after', 'deleteSeconds'),
  ];
  return tableOf(
    ['', 'Windlass', 'Cluster API'],
    [
      ...(wasBusy(recorded) ? [] : times),
      seconds('processor time of the creation', 'cpuSeconds'),
      seconds('processor time of the deletion', 'deleteCpuSeconds'),
      ['most memory', `${windlass.peakMegabytes} MB`, `${clusterApi.peakMegabytes} MB`],
    ],
  );
};

const clustersRows = ({ figures }: NonNullable<Report['clusters']>): string[] =>
  tableOf(
    ['clusters at once', 'ready after', 'a minute', 'CPU seconds each', 'idle', 'deleted after', 'most memory'],
    figures.map((one) => [
      String(one.clusters),
      `${fixed(one.readySeconds)} s`,
      fixed(one.clustersPerMinute),
      fixed(one.cpuSecondsEach),
      `${fixed(one.idlePercent)}% of a processor`,
      `${fixed(one.deleteSeconds)} s`,
      `${one.peakMegabytes} MB`,
    ]),
  );

const kubeApiRows = ({ figures }: NonNullable<Report['kube-api']>): string[] =>
  tableOf(
    ['request', 'at a time', 'Windlass', 'kube-apiserver', 'ratio'],
    figures.operations.map(({ operation, clients, oursMilliseconds, kubeApiserverMilliseconds, ratio }) => [
      operation,
      String(clients),
      `${fixed(oursMilliseconds)} ms`,
      `${fixed(kubeApiserverMilliseconds)} ms`,
      fixed(ratio),
    ]),
  );

const importsRows = ({ figures }: NonNullable<Report['imports']>): string[] =>
  tableOf(
    ['function', 'size', 'loaded in'],
    figures.map(({ name, bytes, milliseconds }) => [
      `\`${name}\``,
      `${Math.round(bytes / 1024)} KB`,
      `${Math.round(milliseconds)} ms`,
    ]),
  );

const fleetRows = ({ figures }: NonNullable<Report['fleet']>): string[] =>
  tableOf(
    ['clusters', 'of one function', 'seconds on Lambda', 'seconds here', 'memory'],
    figures.map(({ clusters, swept, seconds, wallSeconds, heapMegabytes }) => [
      String(clusters),
      String(swept),
      fixed(seconds),
      fixed(wallSeconds),
      `${Math.round(heapMegabytes)} MB`,
    ]),
  );

const lifecycleRows = ({ figures }: NonNullable<Report['lifecycle']>): string[] =>
  tableOf(
    ['machines', 'one step of a rollout is planned in'],
    figures.planners.map(({ machines, milliseconds }) => [String(machines), `${fixed(milliseconds, 2)} ms`]),
  );

const section = (title: string, name: string, text: string, recorded: Recorded<unknown>, rows: string[]): string =>
  [
    `### ${title}`,
    '',
    text,
    '',
    `![${title}](images/performance/${name}.svg)`,
    '',
    ...rows,
    '',
    sourceOf(recorded),
  ].join('\n');

const sectionsOf = (report: Report): string[] => {
  const { peer, clusters, imports, fleet, lifecycle, 'kube-api': kubeApi } = report;
  const shape = peer?.figures.load;
  return [
    peer && shape
      ? section(
          'Compared with Cluster API',
          'peer',
          `${shape.clusters === 1 ? 'One cluster' : `${shape.clusters} clusters`} with ${shape.controlPlane} control plane machines and ${shape.workers} workers, which boot for ${shape.bootSeconds} s. The command lists what is not equal between the two.`,
          peer,
          peerRows(peer),
        )
      : [],
    clusters
      ? section(
          'Many clusters at once',
          'clusters',
          'Each cluster has one machine, which boots for 2 s.',
          clusters,
          clustersRows(clusters),
        )
      : [],
    kubeApi
      ? section(
          'The API compared with kube-apiserver',
          'kube-api',
          'Medians, with one and with sixteen requests at a time.',
          kubeApi,
          kubeApiRows(kubeApi),
        )
      : [],
    fleet
      ? section(
          'Sweeps',
          'fleet',
          'The clusters have 13 machines each. [Scale](scale.md#sweeps) has those of larger fleets, from other runs; how busy the computer is changes both times.',
          fleet,
          fleetRows(fleet),
        )
      : [],
    lifecycle
      ? section('Planners', 'lifecycle', 'Both axes are logarithmic.', lifecycle, lifecycleRows(lifecycle))
      : [],
    imports
      ? section(
          'Cold starts',
          'imports',
          'What a new process takes to load a function: the fastest of five.',
          imports,
          importsRows(imports),
        )
      : [],
  ].flat();
};

/** The page with the figures of the report between its markers. Throws if they are missing. */
export const withFigures = (page: string, report: Report): string => {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`the page has no place for the figures: ${BEGIN} … ${END}`);
  return `${page.slice(0, from)}${[BEGIN, ...sectionsOf(report)].join('\n\n')}\n\n${page.slice(to)}`;
};
