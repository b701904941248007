/**
 * Runs Cluster API itself: its managers, built from upstream's modules, with a real kube-apiserver and an
 * infrastructure in memory.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../../shared/clock.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { PATIENCE_SECONDS } from '../../../../shared/test-patience.ts';
import { serverCertificate } from '../../../local/engines/api-gateway/certificates.ts';
import type { Api } from '../../api/client.ts';
import { openContext } from '../../api/kubeconfig-client.ts';
import { type KubeApiserver, startKubeApiserver } from '../kube-apiserver.ts';
import { end, freePorts, lastLines, run } from '../processes.ts';
import { type Definition, installDefinitions, kubeconfigOf } from './definitions.ts';
import { MANAGERS, type ManagerName, readDefinitionsOf, readDevDefinitions, readWebhooks } from './modules.ts';

const HOST = '127.0.0.1';
const LOOK_MILLISECONDS = 200;
const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1';

export interface Upstream {
  api: Api;
  /** The address of the API, and the token of its administrator. */
  server: KubeApiserver;
  /** All processes: the API server with etcd, the managers, and the infrastructure. */
  processes: readonly ChildProcess[];
  stop(): Promise<void>;
}

interface Place {
  /** The programs' location. */
  programs: string;
  home: string;
  kubeconfig: string;
  /** Processes to end. */
  children: ChildProcess[];
  /** The port on which each manager serves its webhooks. */
  ports: Readonly<Record<ManagerName, number>>;
  options: UpstreamOptions;
}

export interface UpstreamOptions {
  /** Features that are off by default, such as `ClusterTopology`. */
  features?: readonly string[];
  /**
   * Serves all versions of the managers' kinds, or of the kinds with these plural names, which their webhooks convert.
   * Otherwise only the stored version is served. Each additional version makes the API server convert every change.
   */
  converts?: true | readonly string[];
  /** The number of workload clusters that can be served, including deleted ones; 2 by default. */
  workloadClusters?: number;
  /** Additional flags by program. */
  flags?: Readonly<Partial<Record<ManagerName | 'infrastructure', readonly string[]>>>;
}

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const call = request({ host: HOST, port, path: '/readyz' }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
    });
    call.on('error', () => resolve(false));
    call.end();
  });

const untilReady = async (name: string, { home, programs }: Place, child: ChildProcess, port: number) => {
  const deadline = systemClock.now().getTime() + PATIENCE_SECONDS * 1000;
  while (!(await isReady(port))) {
    if (child.exitCode !== null || systemClock.now().getTime() > deadline)
      throw new Error(`the manager ${name} is not ready:\n${lastLines(home, join(programs, name))}`);
    await systemClock.sleep(LOOK_MILLISECONDS);
  }
};

/** Starts a manager, which serves its webhooks with a certificate from `certificates`, and waits until it is ready. */
const startProgram = async (name: ManagerName, place: Place, certificates: string): Promise<void> => {
  const { features = [], flags = {} } = place.options;
  const webhooks = place.ports[name];
  const [health = 0] = await freePorts(1);
  const child = run(place.home, join(place.programs, name), [
    `--kubeconfig=${place.kubeconfig}`,
    `--webhook-port=${webhooks}`,
    `--webhook-cert-dir=${certificates}`,
    `--health-addr=${HOST}:${health}`,
    `--diagnostics-address=${HOST}:0`,
    '--insecure-diagnostics=true',
    ...(features.length > 0 ? [`--feature-gates=${features.map((one) => `${one}=true`).join(',')}`] : []),
    // The definitions are new, so there is nothing to migrate.
    '--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields',
    ...(flags[name] ?? []),
  ]);
  place.children.push(child);
  await untilReady(name, place, child, health);
};

/** Starts a manager and makes the API server call its webhooks. */
const startManager = async (
  name: ManagerName,
  place: Place,
  api: Api,
  { certificates, ca }: { certificates: string; ca: string },
): Promise<void> => {
  await startProgram(name, place, certificates);
  const webhooks = place.ports[name];
  for (const configuration of readWebhooks(name, `https://${HOST}:${webhooks}`, ca))
    await api.send('POST', `${WEBHOOKS}/${configuration.kind.toLowerCase()}s`, configuration);
};

const writeCertificates = async (home: string) => {
  const certificates = join(home, 'certificates');
  mkdirSync(certificates);
  const made = await serverCertificate(certificates, { clock: systemClock, random: systemRandom });
  writeFileSync(join(certificates, 'tls.crt'), made.certificatePem);
  writeFileSync(join(certificates, 'tls.key'), made.privateKeyPem, { mode: 0o600 });
  return { certificates, ca: made.caPem };
};

const NAMES = Object.keys(MANAGERS) as ManagerName[];

/** Installs all definitions that the managers watch. Webhooks convert the objects when the managers run. */
const install = async (api: Api, { ports, options: { converts = [] } }: Place, ca: string): Promise<void> => {
  const isConverted = ({ spec }: Definition): boolean => converts === true || converts.includes(spec.names.plural);
  for (const name of NAMES) {
    const definitions = readDefinitionsOf(name);
    const conversion = { url: `https://${HOST}:${ports[name]}/convert`, ca };
    await installDefinitions(api, definitions.filter(isConverted), conversion);
    await installDefinitions(
      api,
      definitions.filter((one) => !isConverted(one)),
    );
  }
  await installDefinitions(api, readDevDefinitions());
};

/**
 * Starts the manager of the infrastructure in memory on the management cluster of the kubeconfig, which must have its
 * definitions. Its output is written to a file in `home`.
 */
export const startInfrastructure = async ({
  home,
  programs,
  kubeconfig,
  options: { workloadClusters = 2, flags = {} },
}: Pick<Place, 'home' | 'programs' | 'kubeconfig' | 'options'>): Promise<ChildProcess> => {
  const [port = 0] = await freePorts(workloadClusters);
  const ports = [`--workload-port=${port}`, `--workload-ports=${workloadClusters}`];
  return run(home, join(programs, 'infrastructure'), [
    `--kubeconfig=${kubeconfig}`,
    ...ports,
    ...(flags.infrastructure ?? []),
  ]);
};

/** Starts managers on another management cluster, which does not call their webhooks. Returns the processes. */
export const startManagers = async (
  names: readonly ManagerName[],
  { home, programs, kubeconfig }: Pick<Place, 'home' | 'programs' | 'kubeconfig'>,
): Promise<ChildProcess[]> => {
  const free = await freePorts(NAMES.length);
  const ports = Object.fromEntries(NAMES.map((name, index) => [name, free[index]])) as Place['ports'];
  const children: ChildProcess[] = [];
  const { certificates } = await writeCertificates(home);
  const place = { home, programs, kubeconfig, children, ports, options: {} };
  await Promise.all(names.map((name) => startProgram(name, place, certificates)));
  return children;
};

/** Starts everything. `assets` contains kube-apiserver and etcd (envtest.ts), `programs` the managers (tools.ts). */
export const startUpstream = async (
  assets: string,
  programs: string,
  options: UpstreamOptions = {},
): Promise<Upstream> => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-conditions-'));
  const server = await startKubeApiserver(assets);
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(end));
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const kubeconfig = kubeconfigOf(server);
    const { api } = openContext({ kubeconfig });
    const certificates = await writeCertificates(home);
    const free = await freePorts(NAMES.length);
    const ports = Object.fromEntries(NAMES.map((name, index) => [name, free[index]])) as Place['ports'];
    const place = { programs, home, kubeconfig, children, ports, options };
    await install(api, place, certificates.ca);
    await Promise.all(NAMES.map((name) => startManager(name, place, api, certificates)));
    children.push(await startInfrastructure(place));
    return { api, server, processes: [...server.processes, ...children], stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
