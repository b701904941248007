import { Buffer } from 'node:buffer';
import { posix } from 'node:path';
import type { Rke2ServerConfig } from '../../kinds/index.ts';
import type { Fields } from '../kubeadm/document.ts';
import type { ClusterFacts } from '../kubeadm/spec.ts';
import { type ConfigPart, componentFields, ownFile } from './agent-config.ts';
import type { ResolvedReferences } from './references.ts';

const FOLDER = '/etc/rancher/rke2';

/** Keys are omitted if nothing is configured, so that RKE2's own defaults apply. */
const orNothing = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length ? list : undefined);

const networkFields = (server: Rke2ServerConfig, cluster: ClusterFacts): Fields => {
  const { cni, cniMultusEnable, clusterDomain, tlsSan = [] } = server;
  const domain = cluster.dnsDomain === 'cluster.local' ? undefined : cluster.dnsDomain;
  return {
    'advertise-address': server.advertiseAddress,
    'bind-address': server.bindAddress,
    cni: cni && (cniMultusEnable ? ['multus', cni] : [cni]),
    'cluster-cidr': orNothing(cluster.podCidrs)?.join(','),
    'service-cidr': orNothing(cluster.serviceCidrs)?.join(','),
    'cluster-dns': server.clusterDNS,
    'cluster-domain': clusterDomain ?? domain,
    'ingress-controller': orNothing(server.ingressController),
    'service-node-port-range': server.serviceNodePortRange,
    'tls-san': [...tlsSan, cluster.endpoint.host],
  };
};

const componentsFields = (server: Rke2ServerConfig): Fields => {
  const { kubernetesComponents = [], pluginComponents } = server.disableComponents ?? {};
  const { 'cloud-controller-manager-arg': _, ...cloudController } = componentFields(
    'cloud-controller-manager',
    server.cloudControllerManager,
  );
  return {
    disable: orNothing(pluginComponents),
    'disable-kube-proxy': kubernetesComponents.includes('kubeProxy') || undefined,
    'disable-scheduler': kubernetesComponents.includes('scheduler') || undefined,
    'disable-cloud-controller': kubernetesComponents.includes('cloudController') || undefined,
    ...componentFields('kube-apiserver', server.kubeAPIServer),
    ...componentFields('kube-controller-manager', server.kubeControllerManager),
    ...componentFields('kube-scheduler', server.kubeScheduler),
    ...cloudController,
    // RKE2 has another name for the arguments of this component.
    'kube-cloud-controller-manager-arg': server.cloudControllerManager?.extraArgs,
    'cloud-provider-name': server.cloudProviderName,
    'embedded-registry': server.embeddedRegistry || undefined,
    'supervisor-metrics': server.supervisorMetrics || undefined,
    'pause-image': server.pauseImage,
  };
};

const etcdPart = ({ etcd }: Rke2ServerConfig, resolved: ResolvedReferences): ConfigPart => {
  const { backupConfig: backup = {}, customConfig, exposeMetrics } = etcd ?? {};
  const { s3 } = backup;
  const credentials = resolved['etcd.backupConfig.s3.s3CredentialSecret'];
  const ca = resolved['etcd.backupConfig.s3.endpointCAsecret'];
  return {
    fields: {
      ...componentFields('etcd', customConfig),
      'etcd-expose-metrics': exposeMetrics || undefined,
      'etcd-disable-snapshots': backup.disableAutomaticSnapshots,
      'etcd-snapshot-dir': backup.directory,
      'etcd-snapshot-name': backup.snapshotName,
      'etcd-snapshot-retention': backup.retention,
      'etcd-snapshot-schedule-cron': backup.scheduleCron,
      'etcd-s3': s3 && true,
      'etcd-s3-endpoint': s3?.endpoint,
      'etcd-s3-endpoint-ca': ca && `${FOLDER}/etcd-s3-ca.crt`,
      'etcd-s3-skip-ssl-verify': s3 && !s3.enforceSslVerify ? true : undefined,
      'etcd-s3-access-key': credentials?.aws_access_key_id,
      'etcd-s3-secret-key': credentials?.aws_secret_access_key,
      'etcd-s3-bucket': s3?.bucket,
      'etcd-s3-region': s3?.region,
      'etcd-s3-folder': s3?.folder,
    },
    files: ca ? [ownFile('etcd-s3-ca.crt', ca['ca.pem'] ?? '')] : [],
  };
};

const datastorePart = (resolved: ResolvedReferences): ConfigPart => {
  const secret = resolved.externalDatastoreSecret;
  if (!secret) return { fields: {}, files: [] };
  const parts = [
    { key: 'ca.pem', field: 'datastore-cafile', name: 'datastore-ca.crt' },
    { key: 'cert.pem', field: 'datastore-certfile', name: 'datastore-cert.crt' },
    { key: 'key.pem', field: 'datastore-keyfile', name: 'datastore-key.crt' },
  ].flatMap((part) => (secret[part.key] === undefined ? [] : [{ ...part, content: secret[part.key] ?? '' }]));
  return {
    fields: {
      'datastore-endpoint': secret.endpoint,
      ...Object.fromEntries(parts.map(({ field, name }) => [field, `${FOLDER}/${name}`])),
    },
    files: parts.map(({ name, content }) => ownFile(name, content)),
  };
};

const encryptionConfiguration = (provider: string, key: string): string =>
  JSON.stringify({
    kind: 'EncryptionConfiguration',
    apiVersion: 'apiserver.config.k8s.io/v1',
    resources: [
      {
        resources: ['secrets'],
        providers: [
          { [provider]: { keys: [{ name: 'enckey', secret: Buffer.from(key).toString('base64') }] } },
          { identity: {} },
        ],
      },
    ],
  });

/** Servers and agents get the same configuration. */
export const cloudProviderPart = (resolved: ResolvedReferences): ConfigPart => {
  const content = resolved.cloudProviderConfigMap?.['cloud-config'];
  if (content === undefined) return { fields: {}, files: [] };
  return {
    fields: { 'cloud-provider-config': `${FOLDER}/cloud-provider-config` },
    files: [ownFile('cloud-provider-config', content)],
  };
};

const filesPart = (server: Rke2ServerConfig, resolved: ResolvedReferences, dataDir: string): ConfigPart => {
  const audit = resolved.auditPolicySecret?.['audit-policy.yaml'];
  const key = resolved['secretsEncryption.encryptionKeySecret']?.encryptionKey;
  const provider = server.secretsEncryption?.provider ?? 'aescbc';
  const encryptionPath = posix.join(dataDir, 'server/cred/encryption-config.json');
  return {
    fields: {
      'audit-policy-file': audit === undefined ? undefined : `${FOLDER}/audit-policy.yaml`,
      'secrets-encryption-provider': key === undefined ? undefined : provider,
    },
    files: [
      ...(audit === undefined ? [] : [ownFile('audit-policy.yaml', audit)]),
      ...(key === undefined ? [] : [ownFile(encryptionPath, encryptionConfiguration(provider, key), '0400')]),
    ],
  };
};

/** Options of servers only. */
export const serverPart = (
  server: Rke2ServerConfig,
  cluster: ClusterFacts,
  resolved: ResolvedReferences,
  dataDir: string,
): ConfigPart => {
  const parts = [
    { fields: networkFields(server, cluster), files: [] },
    { fields: componentsFields(server), files: [] },
    etcdPart(server, resolved),
    datastorePart(resolved),
    cloudProviderPart(resolved),
    filesPart(server, resolved, dataDir),
  ];
  return {
    fields: Object.assign({}, ...parts.map(({ fields }) => fields)) as Fields,
    files: parts.flatMap(({ files }) => files),
  };
};
