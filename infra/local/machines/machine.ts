import type { Clock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import type { Random } from '../../../shared/random.ts';
import { makeBootLog } from './boot-log.ts';
import { runIgnition } from './ignition/run.ts';
import { ApiStatusError, connectApi } from './kubeadm/api-client.ts';
import { parseKubeadmFile } from './kubeadm/config.ts';
import { KubeadmError, messageOf } from './kubeadm/error.ts';
import { runInit } from './kubeadm/init.ts';
import { runJoin } from './kubeadm/join.ts';
import type { MachineContext, Service } from './kubeadm/machine-context.ts';
import { makeRoute, type Route } from './kubeadm/route.ts';
import type { Address, DataPlane, Instance, Remote, SecretChunks } from './ports.ts';
import { makeRke2Services } from './rke2/service.ts';
import { makeFileSystem } from './user-data/file-system.ts';
import type { KubeadmCall } from './user-data/kubeadm-call.ts';
import { runUserData } from './user-data/run.ts';
import type { ClusterRegistry } from './workload-cluster/registry.ts';

export interface MachineOptions {
  instance: Instance;
  /** base64, as EC2 keeps it. */
  userData: string;
  imageVersion: string | undefined;
  /** Whether the image is one of the distribution's own, without kubeadm. */
  isStock: boolean;
  /** Whether the image has Ignition in place of cloud-init. */
  hasIgnition: boolean;
  bootMilliseconds: number;
  retryMilliseconds: number;
  secrets: SecretChunks;
  remote: Remote;
  clusters: ClusterRegistry;
  dataPlane: DataPlane;
  /** What the DNS of the VPC says beyond that of this computer. */
  names?: ReadonlyMap<string, string>;
  clock: Clock;
  random: Random;
  log: Log;
}

/** The computer inside one instance. */
export interface Machine {
  /** Boots: the first time with the user data, later with what is on the disk. Does nothing while it runs. */
  start(): void;
  /** Stops everything that runs on it; the disk stays. Resolves when it is quiet. */
  stop(): Promise<void>;
  /** Stops it and gives up its disk. */
  terminate(): Promise<void>;
  console(): string[];
}

/** Runs the kubeadm call that the user data makes; true on success. Failures are told to the boot log. */
const makeKubeadm =
  (context: MachineContext) =>
  async (call: KubeadmCall): Promise<boolean> => {
    const { bootLog, files, signal } = context;
    try {
      if (!context.hasKubeadm) throw new KubeadmError('kubeadm: command not found');
      if (!call.configPath) {
        throw new KubeadmError(`kubeadm ${call.verb} without --config is not executed on the simulated machine`);
      }
      const source = files.read(call.configPath);
      if (source === undefined) {
        throw new KubeadmError(
          `unable to read config from "${call.configPath}": open ${call.configPath}: no such file or directory`,
        );
      }
      const file = parseKubeadmFile(source);
      await (call.verb === 'init' ? runInit(context, file, call.skipPhases) : runJoin(context, file));
      return true;
    } catch (error) {
      if (signal.aborted) throw error;
      bootLog.line('kubeadm', `error: ${messageOf(error)}`);
      return false;
    }
  };

/** Whether an API server answers, whoever may have signed its certificate. */
const makeAnswers =
  (route: Route) =>
  async (host: string, port: number): Promise<boolean> => {
    const api = connectApi({ endpoint: `${host}:${port}`, route });
    try {
      await api.call('GET', '/readyz');
      return true;
    } catch (error) {
      return error instanceof ApiStatusError;
    } finally {
      api.close();
    }
  };

/** What the script that installs kubeadm does. The image of a version keeps it. */
const makeInstall =
  (context: MachineContext) =>
  (version: string): boolean => {
    if (!/^v1\.\d+\.\d+$/.test(version)) {
      context.bootLog.line('install', `there is no kubeadm of version ${version}`);
      return false;
    }
    context.hasKubeadm = true;
    context.imageVersion ??= version;
    context.bootLog.line('install', `installed kubelet, kubeadm and kubectl ${version}`);
    return true;
  };

/** The services of a machine: started by kubeadm, ended with the power, started again with it. */
const makeServices = (report: (error: unknown) => void) => {
  const installed = new Set<Service>();
  let running: Promise<void>[] = [];
  let stop = new AbortController();
  const launch = (service: Service): void => {
    const { signal } = stop;
    running.push(
      service(signal).catch((error: unknown) => {
        if (!signal.aborted) report(error);
      }),
    );
  };
  const end = async (): Promise<void> => {
    stop.abort();
    await Promise.all(running);
    running = [];
    stop = new AbortController();
  };
  return {
    install: (service: Service): void => {
      installed.add(service);
      launch(service);
    },
    startAll: (): void => installed.forEach(launch),
    end,
    remove: async (): Promise<void> => {
      installed.clear();
      await end();
    },
  };
};

/** A machine that is switched off. */
export const makeMachine = (options: MachineOptions): Machine => {
  const { instance, clock, log, userData, secrets } = options;
  const bootLog = makeBootLog(clock);
  const files = makeFileSystem();
  const diskActs: (() => void)[] = [];
  const own = new Map<number, Address>();
  const route = makeRoute({ files, instance, own, names: options.names ?? new Map() });
  const listens = (port: number, address: Address, signal: AbortSignal): void => {
    own.set(port, address);
    signal.addEventListener('abort', () => own.delete(port), { once: true });
  };
  const report = (error: unknown): void =>
    log.error('a simulated machine failed', { instance: instance.id, reason: messageOf(error) });
  const services = makeServices(report);
  let power: { stop: AbortController; booted: Promise<void> } | undefined;
  let isInitialized = false;

  const firstBoot = async (signal: AbortSignal): Promise<void> => {
    const waiting = { clock, signal, retryMilliseconds: options.retryMilliseconds };
    const context: MachineContext = {
      ...options,
      hasKubeadm: !options.isStock,
      ...waiting,
      files,
      bootLog,
      route,
      ownAddress: (port) => own.get(port),
      listens,
      start: services.install,
      reset: services.remove,
      onDiskLost: (act) => diskActs.push(act),
    };
    const programs = { kubeadm: makeKubeadm(context), rke2: makeRke2Services(context), install: makeInstall(context) };
    const common = { instance, files, log: bootLog, ...programs, answers: makeAnswers(route), waiting };
    if (options.hasIgnition) return runIgnition(userData, { ...common, remote: options.remote });
    await runUserData(userData, { ...common, secrets });
    bootLog.line('cloud-init', 'finished');
  };

  const boot = async (signal: AbortSignal): Promise<void> => {
    bootLog.line('boot', `instance ${instance.id} is starting`);
    await clock.sleep(options.bootMilliseconds, signal);
    bootLog.line('boot', options.hasIgnition ? 'Flatcar Container Linux' : 'Ubuntu 24.04.3 LTS');
    const isFirst = !isInitialized;
    isInitialized = true;
    if (isFirst) await firstBoot(signal);
    else services.startAll();
  };

  const start = (): void => {
    if (power) return;
    const stop = new AbortController();
    const booted = boot(stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) report(error);
    });
    power = { stop, booted };
  };

  const stop = async (): Promise<void> => {
    if (!power) return;
    const { stop: off, booted } = power;
    power = undefined;
    off.abort();
    options.dataPlane.withdraw(instance.id);
    bootLog.line('boot', 'power off');
    await booted;
    await services.end();
  };

  return {
    start,
    stop,
    terminate: async () => {
      await stop();
      for (const act of diskActs.splice(0)) act();
    },
    console: () => bootLog.lines(),
  };
};
