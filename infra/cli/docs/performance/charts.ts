/** The plots of docs/performance.md, as Vega-Lite specifications. */
import type { TopLevelSpec } from 'vega-lite';
import { type Report, wasBusy } from '../../bench/report/report.ts';

type Row = Readonly<Record<string, string | number>>;

const CONFIG = { background: 'white', font: 'sans-serif', view: { stroke: '#ddd' } };
const COLOURS = { range: ['#2563a8', '#c2772b', '#4d8c57'] };
const SIZE = { width: 260, height: 180 };

const axis = (field: string, title: string, scale: object = { zero: true }) => ({
  field,
  type: 'quantitative' as const,
  title,
  scale,
});

/** One line with a point for each row. */
const curve = (rows: readonly Row[], x: ReturnType<typeof axis>, y: ReturnType<typeof axis>) => ({
  ...SIZE,
  data: { values: [...rows] },
  mark: { type: 'line' as const, point: true, color: COLOURS.range[0] },
  encoding: { x, y },
});

const bars = (rows: readonly Row[], title: string) => ({
  width: 150,
  height: SIZE.height,
  title,
  data: { values: [...rows] },
  mark: 'bar' as const,
  encoding: {
    x: { field: 'side', type: 'nominal' as const, title: null, sort: null, axis: { labelAngle: 0 } },
    y: axis('value', ''),
    color: { field: 'side', type: 'nominal' as const, legend: null, sort: null, scale: COLOURS },
  },
});

/** Without times if other programs determined how long everything took. */
const peerChart = (recorded: NonNullable<Report['peer']>): TopLevelSpec => {
  const { windlass, clusterApi, clusterApiWithoutWaitSeconds } = recorded.figures;
  const sides = (key: 'cpuSeconds' | 'peakMegabytes') => [
    { side: 'Windlass', value: windlass[key] },
    { side: 'Cluster API', value: clusterApi[key] },
  ];
  const ready = [
    { side: 'Windlass', value: windlass.readySeconds },
    { side: 'Cluster API', value: clusterApi.readySeconds },
    { side: 'without wait', value: clusterApiWithoutWaitSeconds },
  ];
  return {
    config: CONFIG,
    hconcat: [
      ...(wasBusy(recorded) ? [] : [{ ...bars(ready, 'All machines ready, seconds'), width: 240 }]),
      bars(sides('cpuSeconds'), 'Processor time, seconds'),
      bars(sides('peakMegabytes'), 'Memory, megabytes'),
    ],
    resolve: { scale: { color: 'independent' } },
  };
};

const clustersChart = ({ figures }: NonNullable<Report['clusters']>): TopLevelSpec => {
  const rows = figures.map(({ clusters, clustersPerMinute, cpuSecondsEach, idlePercent }) => ({
    clusters,
    clustersPerMinute,
    cpuSecondsEach,
    idlePercent,
  }));
  const x = axis('clusters', 'clusters at once');
  return {
    config: CONFIG,
    hconcat: [
      curve(rows, x, axis('clustersPerMinute', 'clusters a minute')),
      curve(rows, x, axis('cpuSecondsEach', 'CPU seconds for each')),
      curve(rows, x, axis('idlePercent', 'percent of a processor, idle')),
    ],
  };
};

const kubeApiChart = ({ figures }: NonNullable<Report['kube-api']>): TopLevelSpec => ({
  config: CONFIG,
  width: 420,
  height: SIZE.height,
  data: {
    values: figures.operations
      .filter(({ operation }) => operation !== 'watch')
      .map(({ operation, clients, ratio }) => ({ operation, clients: `${clients} at a time`, ratio })),
  },
  mark: 'bar',
  encoding: {
    x: { field: 'operation', type: 'nominal', title: null, sort: null, axis: { labelAngle: 0 } },
    xOffset: { field: 'clients', type: 'nominal', sort: null },
    y: axis('ratio', 'times the latency of kube-apiserver'),
    color: { field: 'clients', type: 'nominal', title: 'requests', sort: null, scale: COLOURS },
  },
});

const importsChart = ({ figures }: NonNullable<Report['imports']>): TopLevelSpec => ({
  config: CONFIG,
  width: 420,
  height: { step: 18 },
  data: { values: figures.map(({ name, milliseconds }) => ({ name, milliseconds })) },
  mark: { type: 'bar', color: COLOURS.range[0] },
  encoding: {
    y: { field: 'name', type: 'nominal', title: null, sort: '-x' },
    x: axis('milliseconds', 'milliseconds to load in a new process'),
  },
});

const fleetChart = ({ figures }: NonNullable<Report['fleet']>): TopLevelSpec => {
  const rows = figures.map(({ swept, seconds, heapMegabytes }) => ({ swept, seconds, heapMegabytes }));
  const x = axis('swept', 'clusters of one function');
  return {
    config: CONFIG,
    hconcat: [curve(rows, x, axis('seconds', 'seconds on Lambda')), curve(rows, x, axis('heapMegabytes', 'megabytes'))],
  };
};

const lifecycleChart = ({ figures }: NonNullable<Report['lifecycle']>): TopLevelSpec => ({
  config: CONFIG,
  ...curve(
    figures.planners.map(({ machines, milliseconds }) => ({ machines, milliseconds })),
    axis('machines', 'machines', { type: 'log' }),
    axis('milliseconds', 'milliseconds to plan a step', { type: 'log' }),
  ),
});

/** The charts of the recorded suites, by the name of the suite. The description is the plot's alternative text. */
export const chartsOf = (report: Report): Map<string, TopLevelSpec> => {
  const charts = new Map<string, TopLevelSpec>();
  const add = (name: string, description: string, chart: TopLevelSpec | undefined): void => {
    if (chart) charts.set(name, { ...chart, description });
  };
  const { peer, clusters, imports, fleet, lifecycle, 'kube-api': kubeApi } = report;
  add('peer', 'Windlass beside Cluster API: time, processor time and memory', peer && peerChart(peer));
  add('clusters', 'Many clusters at once: rate, processor time, idle use', clusters && clustersChart(clusters));
  add('kube-api', 'Latencies of the API as multiples of those of kube-apiserver', kubeApi && kubeApiChart(kubeApi));
  add('imports', 'How long a new process takes to load each function', imports && importsChart(imports));
  add('fleet', 'Time and memory of a sweep by the number of clusters', fleet && fleetChart(fleet));
  add('lifecycle', 'How long a step of a rollout takes to plan', lifecycle && lifecycleChart(lifecycle));
  return charts;
};
