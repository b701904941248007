/** The texts that a start prints in the terminal. */
import { relative } from 'node:path';
import { distributionOf } from '../../../shared/distributions/registry.ts';
import { COMMAND, IS_CHECKOUT, PATHS, ROOT } from '../paths.ts';
import type { ClusterSnapshot } from '../progress/snapshot.ts';
import { replicasOf } from '../progress/verdict.ts';

/**
 * The path relative to the user's directory; npm itself changes to the project's root and passes the original
 * directory.
 */
const shown = (path: string): string => {
  const fromHere = relative(process.env.INIT_CWD ?? process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
};

const kubectl = (kubeconfig = shown(PATHS.kubeconfig)): string => `kubectl --kubeconfig ${kubeconfig}`;

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** The two things that a user needs once everything runs. */
export const readyText = (seconds: number, server: string): string =>
  [
    `Windlass is ready after ${seconds.toFixed(1)} s, with a simulated AWS account.`,
    `The Kubernetes API is at ${server}`,
    '',
    `  ${kubectl()} get clusters -A`,
    `  source ${shown(PATHS.env)}   # lets any AWS SDK or CLI use the simulated account`,
    `  ${COMMAND} ui   # shows the clusters in a browser`,
    '',
    `Logs are in ${shown(PATHS.logs)}. Ctrl-C stops everything.`,
  ].join('\n');

/** The file in which simulated hosts are described. */
export const hostsText = (count: number): string =>
  `${counted(count, 'simulated host')} can be claimed in the namespace default; ${shown(PATHS.hosts)} describes ${count === 1 ? 'it' : 'them'}, with the key to log in.`;

/** The program that runs beside Windlass, and the location of its log. */
export const vsphereText = (address: string): string =>
  `The vSphere provider of Cluster API runs with a simulated vCenter at ${address}; ${shown(PATHS.vsphere)} has its log.`;

/** Whether the next start will find the state of this one. */
export const stateText = (isKept: boolean): string =>
  isKept
    ? `State is kept in ${shown(PATHS.keep)}; to start from scratch, stop, and remove it with rm -r ${shown(PATHS.keep)}`
    : 'State is lost at exit, unless you start with --keep.';

const WORKERS: readonly string[] = ['MachineDeployment', 'MachinePool'];

const machinesText = (snapshot: ClusterSnapshot): string => {
  const replicas = replicasOf(snapshot);
  const sum = (isWorker: boolean) =>
    replicas.filter(({ kind }) => WORKERS.includes(kind) === isWorker).reduce((all, one) => all + one.running, 0);
  const version = snapshot.controlPlane?.spec.version;
  return [
    counted(sum(false), 'control plane machine'),
    counted(sum(true), 'worker'),
    ...(version ? [`Kubernetes ${version}`] : []),
  ].join(', ');
};

/** The cluster's resources in AWS; empty if its machines are elsewhere. */
const networkText = ({ infrastructure }: ClusterSnapshot): string[] => {
  if (infrastructure === undefined) return [];
  const { vpc, subnets = [] } = infrastructure?.spec.network ?? {};
  const gateways = new Set(subnets.map(({ natGatewayId }) => natGatewayId).filter(Boolean)).size;
  const parts = [`VPC ${vpc?.id ?? ''}`, counted(subnets.length, 'subnet'), counted(gateways, 'NAT gateway')];
  return [parts.join(', ')];
};

/** The shortest name of the control plane's kind in kubectl. */
const controlPlaneName = ({ cluster }: ClusterSnapshot): string => {
  const kind = distributionOf('controlPlane', cluster?.spec.controlPlaneRef)?.controlPlane;
  return kind?.shortNames[0] ?? kind?.singular ?? 'kcp';
};

const lookText = (snapshot: ClusterSnapshot): string[] => {
  const { namespace, name } = snapshot;
  const inNamespace = namespace === 'default' ? '' : ` -n ${namespace}`;
  return [
    `  ${kubectl()}${inNamespace} get cluster,${controlPlaneName(snapshot)},md,machines`,
    '',
    `  ${kubectl()}${inNamespace} get secret ${name}-kubeconfig \\`,
    `    -o jsonpath='{.data.value}' | base64 -d > ${name}.kubeconfig`,
    `  ${kubectl(`${name}.kubeconfig`)} get nodes -o wide`,
  ];
};

/**
 * What was created and, while it runs, how to inspect it. `boot`: how many of the `seconds` are the simulated boot of
 * the machines. `once`: it is already stopped.
 */
export const builtText = (
  snapshot: ClusterSnapshot,
  seconds: number,
  { boot, once = false }: { boot: number; once?: boolean | undefined },
): string => {
  const { host, port } = snapshot.cluster?.spec.controlPlaneEndpoint ?? {};
  return [
    `Cluster ${snapshot.name} is Available after ${seconds.toFixed(1)} s, of which ${boot.toFixed(1)} s simulated boot.`,
    '',
    `  ${machinesText(snapshot)}`,
    ...networkText(snapshot).map((text) => `  ${text}`),
    `  API server https://${host}:${port}`,
    ...(once ? [] : ['', 'To see its objects and its nodes:', '', ...lookText(snapshot)]),
  ].join('\n');
};

/** Says that a run with --once leaves nothing behind, and how to keep a cluster. */
export const stoppedText = (
  files: readonly string[],
  { hosts, vsphere }: { hosts?: number; vsphere?: boolean } = {},
): string => {
  const applied = files.map((file) => `--apply ${relative(IS_CHECKOUT ? ROOT : process.cwd(), file) || file}`);
  const options = [...(hosts ? [`--hosts ${hosts}`] : []), ...(vsphere ? ['--vsphere'] : []), ...applied].join(' ');
  return `Everything is stopped again (--once). To create it again and keep it running:\n\n  ${IS_CHECKOUT ? 'npm start --' : 'windlass start'} ${options}`;
};

/** The reasons why a cluster is not complete. */
export const missingText = (name: string, seconds: number, reasons: readonly string[]): string =>
  [`Cluster ${name} is not complete after ${seconds.toFixed(0)} s:`, ...reasons.map((reason) => `  - ${reason}`)].join(
    '\n',
  );
