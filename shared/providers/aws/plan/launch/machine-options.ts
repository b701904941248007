import type { CpuOptionsRequest, InstanceMetadataOptionsRequest, RunInstancesCommandInput } from '@aws-sdk/client-ec2';
import type { AWSMachine } from '../../../../kinds/index.ts';

/**
 * The options of the instance's metadata service: unless the machine says otherwise, tokens are required and travel no
 * further than one hop.
 */
export const metadataOptions = ({
  spec: { instanceMetadataOptions: wanted = {} },
}: AWSMachine): Required<InstanceMetadataOptionsRequest> => ({
  HttpEndpoint: wanted.httpEndpoint ?? 'enabled',
  HttpProtocolIpv6: wanted.httpProtocolIpv6 ?? 'disabled',
  HttpPutResponseHopLimit: wanted.httpPutResponseHopLimit ?? 1,
  HttpTokens: wanted.httpTokens ?? 'required',
  InstanceMetadataTags: wanted.instanceMetadataTags ?? 'disabled',
});

/** The name of the instance in the private DNS. */
export const hostNameOptions = ({
  spec: { privateDnsName: wanted },
}: AWSMachine): Pick<RunInstancesCommandInput, 'PrivateDnsNameOptions'> => {
  if (!wanted) return {};
  const { hostnameType, enableResourceNameDnsARecord: a, enableResourceNameDnsAAAARecord: aaaa } = wanted;
  return {
    PrivateDnsNameOptions: {
      ...(hostnameType ? { HostnameType: hostnameType } : {}),
      ...(a === undefined ? {} : { EnableResourceNameDnsARecord: a }),
      ...(aaaa === undefined ? {} : { EnableResourceNameDnsAAAARecord: aaaa }),
    },
  };
};

/** Confidential computing and virtual machines within the instance. */
export const cpuOptions = ({
  spec: { cpuOptions: wanted },
}: AWSMachine): Pick<RunInstancesCommandInput, 'CpuOptions'> => {
  const { confidentialCompute, nestedVirtualization } = wanted ?? {};
  const CpuOptions: CpuOptionsRequest = {
    ...(confidentialCompute ? { AmdSevSnp: confidentialCompute === 'Disabled' ? 'disabled' : 'enabled' } : {}),
    ...(nestedVirtualization ? { NestedVirtualization: nestedVirtualization } : {}),
  };
  return Object.keys(CpuOptions).length > 0 ? { CpuOptions } : {};
};
