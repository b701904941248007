import * as z from 'zod';
import { flag, int64, list, options, someOf, struct, textMap } from './fields.ts';
import { machineAddresses } from './meta.ts';

/** The description of an EC2 instance, desired or observed. */

const texts = list(z.string());

const onOff = z.enum(['enabled', 'disabled']);

/** Upstream's default for tokens is `optional`: any process that can send a request could then use the node's role. */
export const instanceMetadataOptions = options({
  httpEndpoint: onOff.default('enabled'),
  httpProtocolIpv6: onOff.default('disabled'),
  httpPutResponseHopLimit: int64({ min: 1, max: 64 }).default(1).meta({ format: 'int64' }),
  httpTokens: z.enum(['optional', 'required']).default('required'),
  instanceMetadataTags: onOff.default('disabled'),
});

/** `size` in GiB, `throughput` in MiB/s. */
export const volume = struct(
  { size: int64({ min: 8 }) },
  {
    deviceName: z.string(),
    type: z.string(),
    iops: int64(),
    throughput: int64(),
    encrypted: flag,
    encryptionKey: z.string(),
  },
);

export const resourceReference = options({
  id: z.string(),
  filters: list(struct({ name: z.string(), values: texts }, {})),
});

export const privateDnsName = options({
  enableResourceNameDnsAAAARecord: flag,
  enableResourceNameDnsARecord: flag,
  hostnameType: z.enum(['ip-name', 'resource-name']),
});

export const spotMarketOptions = options({ maxPrice: z.string() });

const cpuOptions = someOf({
  confidentialCompute: z.enum(['Disabled', 'AMDEncryptedVirtualizationNestedPaging']),
  nestedVirtualization: onOff,
});

export const marketType = z.enum(['OnDemand', 'Spot', 'CapacityBlock']);

export const capacityReservationPreference = z.enum(['', 'None', 'CapacityReservationsOnly', 'Open']);

const dynamicHostAllocation = options({ tags: textMap });

/** Fields that the desired machine and the observed instance have in the same form. */
export const placement = {
  spotMarketOptions,
  placementGroupName: z.string(),
  placementGroupPartition: int64({ min: 1, max: 7 }),
  instanceMetadataOptions,
  privateDnsName,
  capacityReservationId: z.string(),
  marketType,
  dynamicHostAllocation,
  capacityReservationPreference,
  cpuOptions,
  assignPrimaryIPv6: onOff,
  sshKeyName: z.string(),
  rootVolume: volume,
  nonRootVolumes: list(volume),
};

/** An instance as observed in the account: the bastion in `AWSCluster.status`. */
export const instance = struct(
  { id: z.string() },
  {
    ...placement,
    assignPrimaryIPv6: z.string(),
    instanceState: z.string(),
    type: z.string(),
    subnetId: z.string(),
    imageId: z.string(),
    securityGroupIds: texts,
    userData: z.string(),
    iamProfile: z.string(),
    addresses: machineAddresses,
    privateIp: z.string(),
    ipv6Address: z.string(),
    publicIp: z.string(),
    enaSupport: flag,
    ebsOptimized: flag,
    networkInterfaces: texts,
    networkInterfaceType: z.string(),
    tags: textMap,
    availabilityZone: z.string(),
    tenancy: z.string(),
    volumeIDs: texts,
    publicIPOnLaunch: flag,
    hostAffinity: z.enum(['default', 'host']),
    hostID: z.string(),
  },
);

export type Volume = z.input<typeof volume>;
export type ResourceReference = z.input<typeof resourceReference>;
