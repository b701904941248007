import { isVolatile } from '../../../shared/bootstrap/ignition/files.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import type { Random } from '../../../shared/random.ts';
import type { Vault } from '../keep/vault.ts';
import { makeBootLog } from './boot-log.ts';
import { ApiStatusError, connectApi } from './kubeadm/api-client.ts';
import { parseKubeadmFile } from './kubeadm/config.ts';
import { KubeadmError, messageOf } from './kubeadm/error.ts';
import { runInit } from './kubeadm/init.ts';
import { runJoin } from './kubeadm/join.ts';
import type { MachineContext, ServiceRecord } from './kubeadm/machine-context.ts';
import { makeRoute, type Route } from './kubeadm/route.ts';
import { makeOwnUnits } from './own-units.ts';
import type { Address, DataPlane, Instance, Internet } from './ports.ts';
import { makeRke2Services } from './rke2/service.ts';
import { makeServices } from './services.ts';
import { makeFileSystem, type StoredFile } from './user-data/file-system.ts';
import type { InterpreterOptions } from './user-data/interpret.ts';
import type { KubeadmCall } from './user-data/kubeadm-call.ts';
import type { ClusterRegistry } from './workload-cluster/registry.ts';

/** The parts of a machine that its first boot uses: its disk, its console and its programs. */
export interface FirstBoot
  extends Pick<
    InterpreterOptions,
    'files' | 'log' | 'kubeadm' | 'install' | 'rke2' | 'answers' | 'waiting' | 'units' | 'isInService'
  > {
  instance: Instance;
}

export interface MachineOptions {
  instance: Instance;
  /** Whether the instance's Auto Scaling group has put it in service. */
  isInService?(): Promise<boolean>;
  /** Sets up the machine. Called only at the first boot; rejects only if it is aborted. */
  firstBoot(machine: FirstBoot): Promise<void>;
  /** The name of the operating system on the console. */
  system: string;
  imageVersion: string | undefined;
  /** Whether the image is one of the distribution's own, without kubeadm. */
  isStock: boolean;
  bootMilliseconds: number;
  retryMilliseconds: number;
  clusters: ClusterRegistry;
  dataPlane: DataPlane;
  /** Names in the VPC's DNS that this computer cannot resolve. */
  names?: ReadonlyMap<string, string>;
  internet?: Internet;
  clock: Clock;
  random: Random;
  log: Log;
  /** The store of machines, by the ids of their instances. */
  vault?: Vault;
}

/** The computer inside one instance. */
export interface Machine {
  /** Boots: the first time with the user data, later from the disk. Does nothing while the machine runs. */
  start(): void;
  /** Stops everything that runs on it; the disk stays. Resolves when everything has stopped. */
  stop(): Promise<void>;
  /** Stops it and discards its disk. */
  terminate(): Promise<void>;
  console(): string[];
}

/** Runs the kubeadm call in the user data; true on success. Failures are written to the boot log. */
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

/** Whether an API server answers, with a certificate of any CA. */
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

/** Does what the script does that installs kubeadm. If the image has a version, that one stays. */
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

/** The stored state of a machine. */
interface KeptMachine {
  isOn: boolean;
  /** Whether the first boot has begun, and whether it has ended. */
  isInitialized: boolean;
  isBooted: boolean;
  files: Map<string, StoredFile>;
  services: readonly ServiceRecord[];
  /** The units that its user data has enabled; missing in the stored state of earlier versions. */
  units?: readonly string[];
  members: readonly { uid: string; name: string }[];
  console: { start: number; lines: readonly string[] };
}

/** A machine that is switched off, or in the state that an earlier start has stored. */
export const makeMachine = (options: MachineOptions): Machine => {
  const { instance, clock, log } = options;
  const { vault, clusters } = options;
  const kept = vault?.read<KeptMachine>(instance.id);
  const bootLog = makeBootLog(clock, kept?.console);
  const stored = new Map(kept?.files);
  const files = makeFileSystem(stored, () => save());
  const members = [...(kept?.members ?? [])];
  const enabled = new Set(kept?.units);
  const background = new Set<Promise<void>>();
  const own = new Map<number, Address>();
  const route = makeRoute({ files, instance, own, names: options.names ?? new Map() });
  const listens = (port: number, address: Address, signal: AbortSignal): void => {
    own.set(port, address);
    signal.addEventListener('abort', () => own.delete(port), { once: true });
  };
  const report = (error: unknown): void =>
    log.error('a simulated machine failed', { instance: instance.id, reason: messageOf(error) });
  const { dataPlane, random, retryMilliseconds } = options;
  const internet: Internet = options.internet ?? (() => undefined);
  const itself = {
    ...{ instance, dataPlane, clock, random, log, bootLog, clusters, listens, route, internet, retryMilliseconds },
  };
  const services = makeServices({ machine: itself, records: kept?.services ?? [], onChange: () => save(), report });
  let power: { stop: AbortController; booted: Promise<void> } | undefined;
  let isInitialized = kept?.isInitialized ?? false;
  let isBooted = kept?.isBooted ?? false;
  /** The machine ran when the laptop was stopped: it continues, and does not boot. */
  let goesOn = kept?.isOn ?? false;
  const save = (): void =>
    vault?.write(instance.id, {
      ...{ isOn: power !== undefined, isInitialized, isBooted, files: stored, services: services.installed(), members },
      units: [...enabled],
      console: { start: bootLog.start, lines: bootLog.lines() },
    } satisfies KeptMachine);

  /** A cluster with only this machine, which nothing serves, is started again from scratch. */
  const forgetUnserved = (installed: readonly ServiceRecord[]): void => {
    if (installed.some(({ kind }) => kind !== 'kubelet')) return;
    const alone = ({ uid }: { uid: string }) => clusters.find(uid)?.etcd.names().length === 1;
    for (const { uid, name } of members.filter(alone)) clusters.lose(uid, name);
  };

  /** Runs units in addition to the boot, until they end or the machine is switched off. */
  const follow = (work: Promise<void>, signal: AbortSignal): void => {
    const done = work
      .catch((error: unknown) => {
        if (!signal.aborted) report(error);
      })
      .finally(() => background.delete(done));
    background.add(done);
  };

  /** The machine's programs, with the services that were installed before. */
  const lend = (signal: AbortSignal, before: readonly ServiceRecord[]): FirstBoot => {
    const waiting = { clock, signal, retryMilliseconds: options.retryMilliseconds };
    const context: MachineContext = {
      ...options,
      hasKubeadm: !options.isStock,
      ...waiting,
      files,
      bootLog,
      route,
      internet,
      ownAddress: (port) => own.get(port),
      listens,
      start: services.install,
      reset: services.remove,
      resumed: <Data>(kind: ServiceRecord['kind']) => before.find((one) => one.kind === kind)?.data as Data | undefined,
      holds: (member) => {
        clusters.gain(member.uid, member.name);
        members.push(member);
        save();
      },
    };
    const programs = { kubeadm: makeKubeadm(context), rke2: makeRke2Services(context), install: makeInstall(context) };
    const { isInService } = options;
    const lent = { instance, files, log: bootLog, ...programs, answers: makeAnswers(route), waiting, isInService };
    const units = makeOwnUnits({
      ...{ files, log: bootLog, programs: lent, enabled },
      follow: (work) => follow(work, signal),
    });
    return { ...lent, units };
  };

  const firstBoot = async (signal: AbortSignal): Promise<void> => {
    // The services that the first boot had installed before the laptop was stopped.
    const before = services.installed();
    forgetUnserved(before);
    services.startAll();
    await options.firstBoot(lend(signal, before));
  };

  /** A boot from the disk: enabled services start, and folders in memory are empty. */
  const bootAgain = (signal: AbortSignal): void => {
    services.startAll();
    const { units } = lend(signal, services.installed());
    for (const name of enabled) units?.start(name);
  };

  const forgetVolatile = (): void => {
    for (const path of stored.keys()) if (isVolatile(path)) stored.delete(path);
  };

  const boot = async (signal: AbortSignal): Promise<void> => {
    const isRunning = goesOn && isBooted;
    const isFirst = !isInitialized || (goesOn && !isBooted);
    goesOn = false;
    if (!isRunning) {
      if (isInitialized && !isFirst) forgetVolatile();
      bootLog.line('boot', `instance ${instance.id} is starting`);
      await clock.sleep(options.bootMilliseconds, signal);
      bootLog.line('boot', options.system);
    }
    isInitialized = true;
    if (!isFirst) return bootAgain(signal);
    await firstBoot(signal);
    isBooted = true;
    save();
  };

  const start = (): void => {
    if (power) return;
    const stop = new AbortController();
    const booted = boot(stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) report(error);
    });
    power = { stop, booted };
    save();
  };

  const stop = async (): Promise<void> => {
    if (!power) return;
    const { stop: off, booted } = power;
    power = undefined;
    off.abort();
    options.dataPlane.withdraw(instance.id);
    bootLog.line('boot', 'power off');
    await booted;
    await Promise.all(background);
    await services.end();
    save();
  };

  return {
    start,
    stop,
    terminate: async () => {
      await stop();
      for (const { uid, name } of members.splice(0)) clusters.lose(uid, name);
      vault?.remove(instance.id);
    },
    console: () => bootLog.lines(),
  };
};
