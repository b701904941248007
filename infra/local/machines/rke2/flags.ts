/**
 * The keys that config.yaml may have: the flags of `rke2 server` and `rke2 agent`, as rancher/rke2 defines them in
 * pkg/cli/cmds (server.go, agent.go, root.go; master of August 2026). Dashes are part of the name.
 */

const words = (text: string): string[] => text.trim().split(/\s+/);

const components = words(
  'kube-apiserver kube-scheduler kube-controller-manager kube-proxy etcd cloud-controller-manager',
);

/** Flags of both commands. */
const COMMON = [
  ...words('kube-apiserver-image kube-controller-manager-image cloud-controller-manager-image kube-proxy-image'),
  ...words('kube-scheduler-image pause-image runtime-image etcd-image kubelet-path cloud-provider-name'),
  ...words('cloud-provider-config node-name-from-cloud-provider-metadata profile audit-policy-file'),
  ...words('pod-security-admission-config-file control-plane-resource-requests control-plane-resource-limits'),
  ...words('control-plane-probe-configuration'),
  ...components.flatMap((component) => [`${component}-extra-mount`, `${component}-extra-env`]),
  ...words('config debug v vmodule log alsologtostderr data-dir token token-file node-name with-node-id node-label'),
  ...words('node-taint image-credential-provider-bin-dir image-credential-provider-config container-runtime-endpoint'),
  ...words('disable-default-registry-endpoint nonroot-devices default-runtime private-registry'),
  ...words(
    'node-ip node-external-ip node-internal-dns node-external-dns resolv-conf kubelet-arg kube-proxy-arg server',
  ),
  ...words(
    'protect-kernel-defaults snapshotter selinux lb-server-port airgap-extra-registry bind-address enable-pprof',
  ),
];

const SERVER = [
  ...words('advertise-address tls-san tls-san-security disable-agent cluster-cidr service-cidr cluster-reset'),
  ...words('cluster-reset-restore-path cluster-dns cluster-domain write-kubeconfig write-kubeconfig-mode'),
  ...words('write-kubeconfig-group write-kubeconfig-name kube-apiserver-arg etcd-arg kube-scheduler-arg'),
  ...words('kube-controller-manager-arg kube-cloud-controller-manager-arg datastore-endpoint datastore-cafile'),
  ...words(
    'datastore-certfile datastore-keyfile disable disable-scheduler disable-cloud-controller disable-kube-proxy',
  ),
  ...words(
    'disable-apiserver disable-controller-manager disable-etcd etcd-disable-snapshots etcd-snapshot-schedule-cron',
  ),
  ...words('etcd-snapshot-reconcile-interval etcd-snapshot-retention etcd-snapshot-dir etcd-snapshot-name'),
  ...words('etcd-snapshot-compress embedded-registry supervisor-metrics egress-selector-mode agent-token'),
  ...words(
    'agent-token-file secrets-encryption secrets-encryption-provider service-node-port-range etcd-expose-metrics',
  ),
  ...words(
    'etcd-s3 etcd-s3-access-key etcd-s3-bucket etcd-s3-bucket-lookup-type etcd-s3-config-secret etcd-s3-endpoint',
  ),
  ...words('etcd-s3-endpoint-ca etcd-s3-folder etcd-s3-insecure etcd-s3-proxy etcd-s3-region etcd-s3-secret-key'),
  ...words('etcd-s3-session-token etcd-s3-skip-ssl-verify etcd-s3-timeout etcd-s3-retention helm-job-image'),
  ...words(
    'helm-controller-arg servicelb-namespace cni ingress-controller enable-servicelb prime system-default-registry',
  ),
];

export type Rke2Type = 'server' | 'agent';

const KNOWN: Readonly<Record<Rke2Type, ReadonlySet<string>>> = {
  server: new Set([...COMMON, ...SERVER]),
  agent: new Set(COMMON),
};

/** Keys that a command does not know; RKE2 skips them with a warning. */
export const unknownKeys = (type: Rke2Type, keys: readonly string[]): string[] =>
  keys.filter((key) => !KNOWN[type].has(key));
