import type { AWSMachineSpec } from '../schema/aws-machine-spec.ts';
import type { AWSMachine } from './schema.ts';

/** The options of the metadata service: reachable, tokens required, one hop. In upstream, tokens are optional. */
const METADATA_OPTIONS = {
  httpEndpoint: 'enabled',
  httpProtocolIpv6: 'disabled',
  httpPutResponseHopLimit: 1,
  httpTokens: 'required',
  instanceMetadataTags: 'disabled',
} as const;

/** The storage from which Ignition reads its data, and its version if the data do not contain it. */
export const defaultIgnition = (ignition: NonNullable<AWSMachineSpec['ignition']>): AWSMachineSpec['ignition'] => {
  const storageType = ignition.storageType ?? 'ClusterObjectStore';
  const hasOwnVersion = storageType === 'UnencryptedUserData' || ignition.version !== undefined;
  return { ...ignition, storageType, ...(hasOwnVersion ? {} : { version: '2.3' as const }) };
};

const defaultCloudInit = ({ cloudInit, ignition }: AWSMachineSpec): AWSMachineSpec['cloudInit'] => {
  if (cloudInit?.insecureSkipSecretsManager || ignition) return cloudInit;
  return { ...cloudInit, secureSecretsBackend: cloudInit?.secureSecretsBackend ?? 'secrets-manager' };
};

/** Cluster API uses the provider id, and machines are looked up by the instance in it. */
const defaultInstance = ({ providerID, instanceID }: AWSMachineSpec): Pick<AWSMachineSpec, 'instanceID'> => {
  const named = instanceID ?? /^aws:\/\/.*\/(i-[0-9a-f]+)$/.exec(providerID ?? '')?.[1];
  return named ? { instanceID: named } : {};
};

/** CAPA's defaults (webhooks/awsmachine_webhook.go), and a metadata service that requires tokens. */
export const defaultAWSMachine = (awsMachine: AWSMachine): AWSMachine => {
  const { spec } = awsMachine;
  const cloudInit = defaultCloudInit(spec);
  return {
    ...awsMachine,
    spec: {
      ...spec,
      instanceMetadataOptions: { ...METADATA_OPTIONS, ...spec.instanceMetadataOptions },
      ...defaultInstance(spec),
      ...(cloudInit ? { cloudInit } : {}),
      ...(spec.ignition ? { ignition: defaultIgnition(spec.ignition) } : {}),
    },
  };
};
