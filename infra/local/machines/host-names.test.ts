import { expect, it } from 'vitest';
import type { Instance } from './ports.ts';
import { instanceData } from './user-data/instance-data.ts';
import { nodeNameOf } from './workload-cluster/kubelet-options.ts';

const instance = {
  id: 'i-1',
  privateDnsName: 'ip-10-0-0-7.ec2.internal',
  localHostname: 'ip-10-0-0-7.corp.example',
} as Instance;

it('gives a machine the host name from its DHCP options, and names its node accordingly', () => {
  const data = instanceData(instance);
  expect(data).toMatchObject({
    ds: { meta_data: { local_hostname: 'ip-10-0-0-7.corp.example', hostname: 'ip-10-0-0-7.corp.example' } },
    v1: { local_hostname: 'ip-10-0-0-7' },
  });
  const registration = { kubeletExtraArgs: [] } as unknown as Parameters<typeof nodeNameOf>[0];
  expect(nodeNameOf(registration, instance)).toBe('ip-10-0-0-7');
  expect(nodeNameOf(registration, { ...instance, localHostname: undefined })).toBe('ip-10-0-0-7');
});
