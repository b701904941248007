import { expect, it } from 'vitest';
import { taggedIfPermitted } from './tagging.ts';

const fault = (name: string) => Object.assign(new Error(name), { name, $metadata: {}, $fault: 'client' });
const failing = (name: string) => () => Promise.reject(fault(name));

it.each([
  ['sets the tags if that is permitted', async () => 'tagged', async () => 'bare', 'tagged'],
  ['calls without tags if tagging is not permitted', failing('UnauthorizedOperation'), async () => 'bare', 'bare'],
])('%s', async (_, withTags, without, expected) => {
  expect(await taggedIfPermitted<string>(withTags, without)).toBe(expected);
});

it.each([
  ['any other error', failing('InvalidParameterValue'), async () => 'bare', 'InvalidParameterValue'],
  [
    'the first denial if both are denied',
    failing('UnauthorizedOperation'),
    failing('AccessDenied'),
    'UnauthorizedOperation',
  ],
  ['the error of the call without tags', failing('AccessDenied'), failing('InternalError'), 'InternalError'],
])('throws %s', async (_, withTags, without, name) => {
  await expect(taggedIfPermitted<string>(withTags, without)).rejects.toMatchObject({ name });
});

it('calls again without tags if the service does not support them, and reports the error of that call', async () => {
  const isUnsupported = (error: unknown) => error instanceof Error && error.name === 'UnsupportedArgument';
  const withTags = failing('UnsupportedArgument');
  expect(await taggedIfPermitted<string>(withTags, async () => 'bare', isUnsupported)).toBe('bare');
  await expect(taggedIfPermitted(withTags, failing('AccessDenied'), isUnsupported)).rejects.toMatchObject({
    name: 'AccessDenied',
  });
  await expect(taggedIfPermitted<string>(withTags, async () => 'bare')).rejects.toMatchObject({
    name: 'UnsupportedArgument',
  });
});
