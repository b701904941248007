import { formatDuration } from '../../kinds/rules/duration.ts';
import type { Timeouts } from './spec.ts';

/**
 * kubeadm's own defaults assume that the API server runs before a machine joins. Here all machines are launched at
 * once, so each of them waits for what is not ready yet: the NAT gateway and the first API server (minutes), the
 * signature of its token, and etcd, which accepts one learner at a time (about a minute for each earlier machine).
 * kubeadm's defaults are given at each line. The kubelet's own health (4m) depends on nothing remote and is unchanged.
 */
const RAISED: Readonly<Timeouts> = {
  controlPlaneComponentHealthCheckSeconds: 600, // 4m: pulling four images over a fresh NAT gateway
  kubernetesAPICallSeconds: 180, // 1m: the load balancer moves connections while targets come and go
  etcdAPICallSeconds: 600, // 2m: "too many learner members in cluster" until the previous one is promoted
  tlsBootstrapSeconds: 600, // 5m
  discoverySeconds: 900, // 5m: as long as a bootstrap token is valid
};

/** The user's timeouts, or ours where the user has set none. */
const raiseTimeouts = (timeouts: Timeouts | undefined): Timeouts => ({
  ...RAISED,
  ...Object.fromEntries(Object.entries(timeouts ?? {}).filter(([, seconds]) => seconds !== undefined)),
});

const duration = (seconds: number | undefined): string | undefined =>
  seconds === undefined ? undefined : formatDuration(seconds);

/** `timeouts` of InitConfiguration and JoinConfiguration in v1beta4. */
export const timeoutsV1beta4 = (timeouts: Timeouts | undefined): Record<string, string | undefined> => {
  const raised = raiseTimeouts(timeouts);
  return {
    controlPlaneComponentHealthCheck: duration(raised.controlPlaneComponentHealthCheckSeconds),
    kubeletHealthCheck: duration(raised.kubeletHealthCheckSeconds),
    kubernetesAPICall: duration(raised.kubernetesAPICallSeconds),
    etcdAPICall: duration(raised.etcdAPICallSeconds),
    tlsBootstrap: duration(raised.tlsBootstrapSeconds),
    discovery: duration(raised.discoverySeconds),
  };
};

/** v1beta3 has the timeout in ClusterConfiguration, so it comes from the InitConfiguration of the same spec. */
export const timeoutForControlPlane = (init: Timeouts | undefined): string | undefined =>
  duration(raiseTimeouts(init).controlPlaneComponentHealthCheckSeconds);

/** v1beta3 has one timeout for discovery and TLS bootstrap; Cluster API sets it from `tlsBootstrapSeconds`. */
export const discoveryTimeoutV1beta3 = (join: Timeouts | undefined): string | undefined =>
  duration(join?.tlsBootstrapSeconds ?? join?.discoverySeconds ?? RAISED.discoverySeconds);
