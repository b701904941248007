import type { Rke2ConfigSpec, Rke2Reference, Rke2ServerConfig } from '../../kinds/index.ts';

/** Fields that refer to a Secret or a ConfigMap, and the keys that it must contain. */
interface ReferenceField<Spec> {
  field: string;
  kind: 'Secret' | 'ConfigMap';
  keys: readonly string[];
  of: (spec: Spec) => Rke2Reference | undefined;
}

export const CONFIG_REFERENCES: readonly ReferenceField<Rke2ConfigSpec>[] = [
  {
    field: 'agentConfig.imageCredentialProviderConfigMap',
    kind: 'ConfigMap',
    keys: ['credential-config.yaml', 'credential-provider-binaries'],
    of: ({ agentConfig }) => agentConfig?.imageCredentialProviderConfigMap,
  },
  {
    field: 'agentConfig.resolvConf',
    kind: 'ConfigMap',
    keys: ['resolv.conf'],
    of: ({ agentConfig }) => agentConfig?.resolvConf,
  },
];

export const SERVER_REFERENCES: readonly ReferenceField<Rke2ServerConfig>[] = [
  { field: 'auditPolicySecret', kind: 'Secret', keys: ['audit-policy.yaml'], of: (spec) => spec.auditPolicySecret },
  {
    field: 'cloudProviderConfigMap',
    kind: 'ConfigMap',
    keys: ['cloud-config'],
    of: (spec) => spec.cloudProviderConfigMap,
  },
  {
    field: 'etcd.backupConfig.s3.s3CredentialSecret',
    kind: 'Secret',
    keys: ['aws_access_key_id', 'aws_secret_access_key'],
    of: ({ etcd }) => etcd?.backupConfig?.s3?.s3CredentialSecret,
  },
  {
    field: 'etcd.backupConfig.s3.endpointCAsecret',
    kind: 'Secret',
    keys: ['ca.pem'],
    of: ({ etcd }) => etcd?.backupConfig?.s3?.endpointCAsecret,
  },
  {
    field: 'secretsEncryption.encryptionKeySecret',
    kind: 'Secret',
    keys: ['encryptionKey'],
    of: ({ secretsEncryption }) => secretsEncryption?.encryptionKeySecret,
  },
  {
    field: 'externalDatastoreSecret',
    kind: 'Secret',
    keys: ['endpoint'],
    of: (spec) => spec.externalDatastoreSecret,
  },
];
