import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { componentText, configMapText, secretText } from './rke2-reference.ts';

/** Texts of `serverConfig`: what the servers of an RKE2 cluster share. */

const backupText = [
  'Snapshots of etcd that RKE2 takes.',
  {
    disableAutomaticSnapshots: 'Turns scheduled snapshots off. Defaults to false.',
    snapshotName: 'Prefix of the names of snapshots. Defaults to etcd-snapshot.',
    scheduleCron: 'When snapshots are taken, in cron form. Defaults to 0 */12 * * *, which is every 12 hours.',
    retention: 'Number of snapshots to keep, as text. Defaults to 5.',
    directory: 'Directory on the machine for snapshots. Defaults to server/db/snapshots in dataDir.',
    s3: [
      'Bucket that snapshots are copied to as well.',
      {
        endpoint: 'Host name of the S3 service, such as s3.eu-central-1.amazonaws.com.',
        endpointCAsecret: secretText('Secret with the CA certificate of the S3 service, in the key ca.pem.'),
        enforceSslVerify: 'Checks the certificate of the S3 service. Defaults to false, which accepts any.',
        s3CredentialSecret: secretText(
          'Secret with the credentials, in the keys aws_access_key_id and aws_secret_access_key.',
        ),
        bucket: 'Name of the bucket.',
        region: 'Region of the bucket. RKE2 assumes us-east-1 by default.',
        folder: 'Folder in the bucket. Defaults to its root.',
      },
    ],
  },
] satisfies FieldText;

const serverConfigFields = {
  auditPolicySecret: secretText('Secret with the audit policy of kube-apiserver, in the key audit-policy.yaml.'),
  bindAddress: 'IP address that servers listen on. Defaults to 0.0.0.0.',
  advertiseAddress: 'IP address that kube-apiserver announces. Defaults to that of the node.',
  tlsSan:
    'Further host names and IP addresses in the certificate of the servers. The endpoint of the cluster is always among them.',
  serviceNodePortRange: 'Ports for Services of type NodePort. Defaults to 30000-32767.',
  clusterDNS: 'Cluster IP of the DNS service, inside the range of Services. RKE2 uses the tenth address by default.',
  clusterDomain:
    'DNS domain of the cluster. Defaults to spec.clusterNetwork.serviceDomain of the Cluster, then to cluster.local.',
  disableComponents: [
    'Parts of RKE2 to leave out.',
    {
      kubernetesComponents:
        'Kubernetes components to leave out: scheduler, kubeProxy or cloudController. None by default.',
      pluginComponents:
        'Add-ons to leave out: rke2-coredns, rke2-ingress-nginx, rke2-metrics-server, rke2-snapshot-controller, rke2-snapshot-controller-crd, rke2-snapshot-validation-webhook, rke2-traefik, rke2-traefik-crd. None by default.',
    },
  ],
  cni: 'CNI plugin that RKE2 installs: canal, calico, cilium or none. Defaults to canal.',
  cniMultusEnable: 'Puts Multus in front of the CNI plugin. Defaults to false; needs cni.',
  ingressController:
    'Ingress controllers that RKE2 installs: ingress-nginx, traefik or none. Defaults to that of the RKE2 version.',
  pauseImage: 'Image of the pause containers. Defaults to that of RKE2.',
  etcd: [
    'Settings of etcd, which runs on the servers.',
    {
      exposeMetrics: 'Exposes the metrics of etcd to clients on other machines. Defaults to false.',
      backupConfig: backupText,
      customConfig: componentText('etcd'),
    },
  ],
  secretsEncryption: [
    'Encryption of Secrets in etcd.',
    {
      encryptionKeySecret: secretText(
        'Secret with the encryption key, under the name encryptionKey. By default RKE2 generates a key.',
      ),
      provider: 'Algorithm: aescbc or secretbox. Defaults to aescbc; used only with encryptionKeySecret.',
    },
  ],
  kubeAPIServer: componentText('kube-apiserver'),
  kubeControllerManager: componentText('kube-controller-manager'),
  kubeScheduler: componentText('kube-scheduler'),
  cloudControllerManager: componentText('the cloud controller manager of RKE2'),
  cloudProviderName: 'Name of the cloud provider, such as external or aws. Passed to servers and workers.',
  cloudProviderConfigMap: configMapText(
    'ConfigMap with the configuration of the cloud provider, in the key cloud-config. Written to servers and workers.',
  ),
  supervisorMetrics: 'Exposes the metrics of RKE2 itself on the supervisor port. Defaults to false.',
  embeddedRegistry: 'Lets nodes serve images to each other through the registry in RKE2. Defaults to false.',
  externalDatastoreSecret: secretText(
    'Secret for a datastore that replaces etcd, with its connection string in the key endpoint. The keys ca.pem, cert.pem and key.pem are optional.',
  ),
} satisfies FieldTexts;

export const serverConfigText = [
  'Settings of the RKE2 servers. A change replaces the machines of the control plane one after another.',
  serverConfigFields,
] satisfies FieldText;
