import { expect, it } from 'vitest';
import { capacityOf, nodeInfoOf } from './capacity.ts';

const type = {
  VCpuInfo: { DefaultVCpus: 4 },
  MemoryInfo: { SizeInMiB: 16384 },
  ProcessorInfo: { SupportedArchitectures: ['arm64' as const] },
};

it('the capacity is the CPU and the memory of the instance type', () => {
  expect(capacityOf(type)).toEqual({ cpu: '4', memory: '16384Mi' });
});

it.each([
  {
    reason: 'the type if the image is looked up',
    of: type,
    image: undefined,
    wanted: { architecture: 'arm64', operatingSystem: 'linux' },
  },
  {
    reason: 'the image',
    of: type,
    image: { Architecture: 'x86_64' as const, PlatformDetails: 'Windows BYOL' },
    wanted: { architecture: 'amd64', operatingSystem: 'windows' },
  },
  {
    reason: 'nothing if the type allows several',
    of: { ProcessorInfo: { SupportedArchitectures: ['i386' as const, 'x86_64' as const] } },
    image: undefined,
    wanted: undefined,
  },
])('the platform of workloads is determined by $reason', ({ of, image, wanted }) => {
  expect(nodeInfoOf(of, image)).toEqual(wanted);
});
