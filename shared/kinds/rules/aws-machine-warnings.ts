import type { AWSMachineSpec } from '../schema/aws-machine-spec.ts';
import { type Unsupported, warnUnsupported } from './unsupported.ts';

const UNSUPPORTED: Unsupported<AWSMachineSpec> = {
  ignition: (spec) => spec.ignition,
  marketType: ({ marketType }) => marketType !== undefined && marketType !== 'OnDemand',
  spotMarketOptions: (spec) => spec.spotMarketOptions,
  elasticIpPool: (spec) => spec.elasticIpPool,
  networkInterfaces: (spec) => spec.networkInterfaces,
  networkInterfaceType: ({ networkInterfaceType }) => networkInterfaceType === 'efa',
  securityGroupOverrides: (spec) => spec.securityGroupOverrides,
  hostID: (spec) => spec.hostID,
  dynamicHostAllocation: (spec) => spec.dynamicHostAllocation,
  capacityReservationId: (spec) => spec.capacityReservationId,
  capacityReservationPreference: (spec) => spec.capacityReservationPreference,
  assignPrimaryIPv6: ({ assignPrimaryIPv6 }) => assignPrimaryIPv6 === 'enabled',
  'ami.eksLookupType': (spec) => spec.ami?.eksLookupType,
  'cloudInit.secureSecretsBackend': ({ cloudInit }) => cloudInit?.secureSecretsBackend === 'ssm-parameter-store',
};

/** Warnings for the instance of a machine, in a template or real; `prefix` is the path of the spec. */
export const warnAWSMachineSpec = (spec: AWSMachineSpec, prefix: string): string[] =>
  warnUnsupported(UNSUPPORTED, spec, prefix);
