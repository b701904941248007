/**
 * Cluster API for comparison: its managers, built from its modules, with a kube-apiserver and an infrastructure in
 * memory.
 */
import { lockIn } from '../../conformance/lock.ts';
import { cacheFor } from '../../conformance/run-tool.ts';
import { provideTools, TOOLS } from '../../conformance/tools.ts';
import { startUpstream, type Upstream } from '../../conformance/upstream/upstream.ts';
import { connect } from '../connection.ts';
import type { Side } from '../load/play.ts';

/** Limits that are high enough not to delay anything. */
const CLIENTS = [
  '--kube-api-qps=2000',
  '--kube-api-burst=4000',
  '--clustercache-client-qps=500',
  '--clustercache-client-burst=1000',
  '--clustercache-concurrency=200',
];
const MANAGER = [...CLIENTS, '--v=0'];

const FLAGS = {
  core: [
    ...MANAGER,
    '--cluster-concurrency=200',
    '--machine-concurrency=200',
    '--machineset-concurrency=200',
    '--machinedeployment-concurrency=200',
  ],
  bootstrap: [...MANAGER, '--kubeadmconfig-concurrency=200'],
  'control-plane': [...MANAGER, '--kubeadmcontrolplane-concurrency=200'],
  infrastructure: [...CLIENTS, '--devcluster-concurrency=200', '--devmachine-concurrency=200'],
} as const;

interface Programs {
  assets: string;
  managers: string;
}

/**
 * Builds missing programs once, which takes many minutes. Throws an Error with the reason if one cannot be provided.
 */
const providePrograms = (say: (line: string) => void): Programs => {
  const { 'kube-apiserver': server, managers } = TOOLS;
  const lock = lockIn(cacheFor('locks'), say);
  const tools = { 'kube-apiserver': server, managers };
  const { variables, missing } = provideTools(say, process.env.PATH, tools, undefined, lock);
  const [reason] = Object.values(missing);
  if (reason !== undefined) throw new Error(reason);
  return { assets: variables.KUBEBUILDER_ASSETS ?? '', managers: variables.WINDLASS_MANAGERS ?? '' };
};

/** Starts Cluster API for this number of clusters in total, and stops it when `measure` is done. */
export const withUpstream = async <T>(
  workloadClusters: number,
  say: (line: string) => void,
  measure: (openSide: () => Side) => Promise<T>,
): Promise<T> => {
  const { assets, managers } = providePrograms(say);
  const upstream = await startUpstream(assets, managers, { converts: true, workloadClusters, flags: FLAGS });
  try {
    return await measure(() => openUpstream(upstream));
  } finally {
    upstream.api.close();
    await upstream.stop();
  }
};

const openUpstream = ({ server, processes }: Upstream): Side => ({
  connection: connect(server),
  provider: 'Dev',
  pids: processes.flatMap(({ pid }) => pid ?? []),
});
