/**
 * The services of a machine: kubeadm or RKE2 starts them; they stop when the machine is switched off, and start again
 * with it.
 */
import { apiServer } from './kubeadm/control-plane.ts';
import type { Service, ServiceMachine, ServiceRecord } from './kubeadm/machine-context.ts';
import { rke2Server } from './rke2/serve.ts';
import { makeKubelet } from './workload-cluster/kubelet.ts';

/** The programs, by the kind of a record. A record contains the parameters with which the program was installed. */
const PROGRAMS: Readonly<Record<ServiceRecord['kind'], (machine: ServiceMachine, data: never) => Service>> = {
  'api-server': apiServer,
  kubelet: (machine: ServiceMachine, data: Omit<Parameters<typeof makeKubelet>[0], keyof ServiceMachine>) =>
    makeKubelet({ ...machine, ...data }),
  'rke2-server': rke2Server,
};

export interface Services {
  installed(): readonly ServiceRecord[];
  /** Resolves when the service is ready or has ended. */
  install(record: ServiceRecord): Promise<void>;
  startAll(): void;
  end(): Promise<void>;
  remove(): Promise<void>;
}

export interface ServicesOptions {
  machine: ServiceMachine;
  /** The services of an earlier start, which do not run yet. */
  records: readonly ServiceRecord[];
  /** Called after each change of the installed services. */
  onChange(): void;
  report(error: unknown): void;
}

export const makeServices = ({ machine, records, onChange, report }: ServicesOptions): Services => {
  const installed = new Set<ServiceRecord>(records);
  let running: Promise<void>[] = [];
  let stop = new AbortController();
  const launch = (record: ServiceRecord): Promise<void> => {
    const { signal } = stop;
    return new Promise<void>((resolve) => {
      const onReady = (): void => {
        onChange();
        resolve();
      };
      const work = PROGRAMS[record.kind](machine, record.data as never)(signal, onReady).catch((error: unknown) => {
        if (!signal.aborted) report(error);
      });
      running.push(work);
      void work.then(resolve);
    });
  };
  const end = async (): Promise<void> => {
    stop.abort();
    await Promise.all(running);
    running = [];
    stop = new AbortController();
  };
  return {
    installed: () => [...installed],
    install: (record) => {
      installed.add(record);
      return launch(record);
    },
    startAll: () => {
      for (const record of installed) void launch(record);
    },
    end,
    remove: async () => {
      installed.clear();
      onChange();
      await end();
    },
  };
};
