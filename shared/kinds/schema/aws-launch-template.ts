import * as z from 'zod';
import {
  capacityReservationPreference,
  instanceMetadataOptions,
  marketType,
  privateDnsName,
  resourceReference,
  spotMarketOptions,
  volume,
} from './aws-instance.ts';
import { ami } from './aws-machine-spec.ts';
import { flag, int64, list, options, struct } from './fields.ts';

/** The configuration of an Auto Scaling group's instances. */

export const awsLaunchTemplate = options({
  name: z.string(),
  iamInstanceProfile: z.string(),
  ami,
  imageLookupFormat: z.string(),
  imageLookupOrg: z.string(),
  imageLookupBaseOS: z.string(),
  instanceType: z.string(),
  rootVolume: volume,
  nonRootVolumes: list(volume),
  sshKeyName: z.string(),
  versionNumber: int64(),
  additionalSecurityGroups: list(resourceReference),
  spotMarketOptions,
  instanceMetadataOptions,
  enclaveOptions: options({ enabled: flag }),
  privateDnsName,
  capacityReservationId: z.string(),
  marketType,
  capacityReservationPreference,
});

const SPOT_STRATEGIES = [
  'lowest-price',
  'capacity-optimized',
  'capacity-optimized-prioritized',
  'price-capacity-optimized',
] as const;

export const mixedInstancesPolicy = options({
  instancesDistribution: options({
    onDemandAllocationStrategy: z.enum(['prioritized', 'lowest-price']).default('prioritized'),
    spotAllocationStrategy: z.enum(SPOT_STRATEGIES).default('lowest-price'),
    onDemandBaseCapacity: int64().default(0).meta({ format: 'int64' }),
    onDemandPercentageAboveBaseCapacity: int64().default(100).meta({ format: 'int64' }),
  }),
  overrides: list(struct({ instanceType: z.string() }, {})),
});

export type AWSLaunchTemplate = z.input<typeof awsLaunchTemplate>;
