import * as z from 'zod';
import { placement, resourceReference } from './aws-instance.ts';
import { elasticIpPool, securityGroupOverrides, tags } from './aws-network.ts';
import { flag, int32, list, options, struct } from './fields.ts';

export const ignition = options({
  version: z.enum(['2.3', '3.0', '3.1', '3.2', '3.3', '3.4']),
  storageType: z.enum(['ClusterObjectStore', 'UnencryptedUserData']).default('ClusterObjectStore'),
  proxy: options({
    httpProxy: z.string(),
    httpsProxy: z.string(),
    noProxy: list(z.string().max(2048), { max: 64 }),
  }),
  tls: options({ certificateAuthorities: list(z.string().max(65536), { max: 64 }) }),
});

/** How the user data are delivered: the controller fills in the name prefix and the number of the secrets. */
const cloudInit = options({
  insecureSkipSecretsManager: flag,
  secretCount: int32(),
  secretPrefix: z.string(),
  secureSecretsBackend: z.enum(['secrets-manager', 'ssm-parameter-store']),
});

export const ami = options({
  id: z.string(),
  eksLookupType: z.enum(['AmazonLinux', 'AmazonLinuxGPU', 'AmazonLinux2023', 'AmazonLinux2023GPU']),
});

export const awsMachineSpec = struct(
  { instanceType: z.string().min(2) },
  {
    ...placement,
    providerID: z.string(),
    instanceID: z.string(),
    ami,
    imageLookupFormat: z.string(),
    imageLookupOrg: z.string(),
    imageLookupBaseOS: z.string(),
    additionalTags: tags,
    iamInstanceProfile: z.string(),
    publicIP: flag,
    elasticIpPool,
    additionalSecurityGroups: list(resourceReference),
    subnet: resourceReference,
    securityGroupOverrides,
    networkInterfaces: list(z.string(), { max: 2 }),
    networkInterfaceType: z.enum(['interface', 'efa']),
    uncompressedUserData: flag,
    cloudInit,
    ignition,
    tenancy: z.enum(['default', 'dedicated', 'host']),
    hostID: z
      .string()
      .max(19)
      .regex(/^h-[0-9a-f]{17}$/),
    hostAffinity: z.enum(['default', 'host']).default('default'),
  },
);

export type AWSMachineSpec = z.input<typeof awsMachineSpec>;
