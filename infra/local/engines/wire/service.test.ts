import * as sts from '@aws-sdk/client-sts';
import { expect, it } from 'vitest';
import { describeService } from './service.ts';

const noHandlers = () => ({});

it('reads a client package once, however many servers use it', () => {
  const one = describeService(sts.STSClient, sts, noHandlers);
  const other = describeService(sts.STSClient, sts, () => ({}));

  expect(one.operations.has('GetCallerIdentity')).toBe(true);
  expect(other.operations).toBe(one.operations);
  expect(other.handlersFor).not.toBe(one.handlersFor);
});
