import type { AWSMachineSpec } from '../schema/aws-machine-spec.ts';
import { type Unsupported, warnUnsupported } from './unsupported.ts';

const UNSUPPORTED: Unsupported<AWSMachineSpec> = {
  marketType: ({ marketType }) => marketType === 'CapacityBlock',
  elasticIpPool: (spec) => spec.elasticIpPool,
  networkInterfaces: (spec) => spec.networkInterfaces,
  networkInterfaceType: ({ networkInterfaceType }) => networkInterfaceType === 'efa',
  hostAffinity: ({ hostAffinity }) => hostAffinity === 'host',
  dynamicHostAllocation: (spec) => spec.dynamicHostAllocation,
  capacityReservationPreference: (spec) => spec.capacityReservationPreference,
  assignPrimaryIPv6: ({ assignPrimaryIPv6 }) => assignPrimaryIPv6 === 'enabled',
  cpuOptions: (spec) => spec.cpuOptions,
  privateDnsName: (spec) => spec.privateDnsName,
  'ami.eksLookupType': (spec) => spec.ami?.eksLookupType,
  'subnet.filters': (spec) => spec.subnet?.filters,
  'additionalSecurityGroups[].filters': ({ additionalSecurityGroups = [] }) =>
    additionalSecurityGroups.some(({ filters = [] }) => filters.length > 0),
  'instanceMetadataOptions.httpProtocolIpv6': (spec) => spec.instanceMetadataOptions?.httpProtocolIpv6 === 'enabled',
  'cloudInit.secureSecretsBackend': ({ cloudInit }) => cloudInit?.secureSecretsBackend === 'ssm-parameter-store',
};

/** Warnings for the instance of a machine, in a template or real; `prefix` is the path of the spec. */
export const warnAWSMachineSpec = (spec: AWSMachineSpec, prefix: string): string[] =>
  warnUnsupported(UNSUPPORTED, spec, prefix);
