/** The figures of both sides as a readable table. */
import type { PeerFigures } from './measure.ts';

const UNEQUAL = [
  "Windlass calls a simulated AWS account through AWS's protocols, which makes networks, addresses and a load balancer, and",
  'whose machines execute their user data and serve TLS; all of it counts. Cluster API sets objects in memory after delays.',
  'Its machines have no user data executed, no network, and no load balancer but a port.',
  'Windlass is one Node.js process with its table in memory. Cluster API is six processes: etcd, which does not wait for its',
  'disk, kube-apiserver without priority and fairness, and four managers, with rates and numbers of workers so high that',
  'they hold nothing up.',
  'Cluster API counts the stages of a boot in whole seconds: each may be up to a second shorter.',
  'There is no garbage collector beside Cluster API: Secrets of deleted clusters stay.',
  'Cluster API waits 30 seconds after its first failed connection to a workload cluster, and no flag changes that.',
  '"without the wait" is calculated: what passes between the first API server and the connection is subtracted.',
];

const WIDTHS = [48, 14, 14] as const;

const line = (...cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[0]) : cell.padStart(WIDTHS[at] ?? 0))).join('');

const seconds = (value: number): string => `${value.toFixed(1)} s`;

/** Includes the differences between the two sides. */
export const tableOfPeer = (figures: PeerFigures): string => {
  const { load, windlass, clusterApi, clusterApiWithoutWaitSeconds } = figures;
  const { clusters, controlPlane, workers, bootSeconds } = load;
  const row = (title: string, key: 'availableSeconds' | 'cpuSeconds' | 'deleteSeconds' | 'deleteCpuSeconds') =>
    line(title, seconds(windlass[key]), seconds(clusterApi[key]));
  return [
    `${clusters} of ${controlPlane} control plane machines and ${workers} workers at once, which boot for ${bootSeconds} s`,
    '',
    line('', 'Windlass', 'Cluster API'),
    line('all machines ready', seconds(windlass.readySeconds), seconds(clusterApi.readySeconds)),
    line('  without the wait for a connection', '', seconds(clusterApiWithoutWaitSeconds)),
    row('Available', 'availableSeconds'),
    row('processor time of the creation', 'cpuSeconds'),
    row('deleted', 'deleteSeconds'),
    row('processor time of the deletion', 'deleteCpuSeconds'),
    line('most memory', `${windlass.peakMegabytes} MB`, `${clusterApi.peakMegabytes} MB`),
    '',
    'Both had the same objects, client and looks, four a second, and a cluster of one machine before. What is not equal:',
    '',
    ...UNEQUAL,
  ].join('\n');
};
