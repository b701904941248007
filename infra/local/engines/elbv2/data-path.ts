import type { Log } from '../../../../shared/log.ts';
import type { DataPlane } from './data-plane.ts';
import { type OpenListener, openListener } from './forwarding.ts';
import { runHealthChecks } from './health-checks.ts';
import type { DataPath, Elb } from './state.ts';

export interface ClosableDataPath extends DataPath {
  /** Ends all listeners, connections and health checks. */
  close(): void;
}

/** A data path without sockets, for unit tests: an instance is healthy while the data plane knows its port. */
export const makePaperDataPath = (dataPlane: DataPlane): ClosableDataPath => ({
  dataPlane,
  probes: false,
  listenerAdded: () => {},
  listenerRemoved: () => {},
  close: () => {},
});

/** The data path of the laptop: listeners really listen, and targets are really probed. */
export const makeDataPath = (dataPlane: DataPlane, log: Log): ClosableDataPath => {
  const open = new Map<string, OpenListener>();
  const checks = new Map<string, AbortController>();

  const checkTargets = (elb: Elb, targetGroupArn: string): void => {
    const group = elb.targetGroups.get(targetGroupArn);
    if (!group || checks.has(targetGroupArn)) return;
    const abort = new AbortController();
    checks.set(targetGroupArn, abort);
    void runHealthChecks(elb, dataPlane, group, abort.signal, log).finally(() => checks.delete(targetGroupArn));
  };

  const path: ClosableDataPath = {
    dataPlane,
    probes: true,
    listenerAdded: (elb, listener) => {
      // UDP needs another kind of socket, and TLS a certificate that no service here has.
      if (listener.protocol === 'TCP') open.set(listener.arn, openListener(elb, path, listener, log));
      checkTargets(elb, listener.targetGroupArn);
    },
    listenerRemoved: ({ arn }) => {
      open.get(arn)?.close();
      open.delete(arn);
    },
    close: () => {
      for (const listener of open.values()) listener.close();
      for (const abort of checks.values()) abort.abort();
      open.clear();
    },
  };
  return path;
};
