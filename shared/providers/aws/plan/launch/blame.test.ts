import { expect, it } from 'vitest';
import { blamedField } from './blame.ts';

it.each([
  ['InvalidAMIID.NotFound', 'The image id does not exist', 'spec.ami.id'],
  ['InvalidSubnetID.NotFound', 'The subnet ID does not exist', 'spec.subnet'],
  ['Unsupported', 'Your requested instance type is not supported', 'spec.instanceType'],
  ['InvalidParameterValue', 'Invalid IAM Instance Profile name', 'spec.iamInstanceProfile'],
  ['InvalidParameterValue', 'User data is limited to 16384 bytes', 'the user data'],
  [
    'InvalidParameterCombination',
    'The parameter iops is not supported for gp2',
    'spec.rootVolume or spec.nonRootVolumes',
  ],
  ['MissingParameter', 'The parameter tenancy is missing', 'spec.tenancy'],
  ['ValidationError', 'CpuOptions are not supported', 'spec.cpuOptions'],
  ['InvalidParameterValue', 'Something else is wrong', undefined],
  // The messages of these errors may mention any field, including valid ones.
  ['UnauthorizedOperation', 'You may not use this instance profile', undefined],
  ['RequestLimitExceeded', 'Too many requests for this instance type', undefined],
])('the error %s "%s" is about %s', (code, message, field) => {
  expect(blamedField(code, message)).toBe(field);
});
