import { expect, it } from 'vitest';
import { saySame, withoutRequestDetails } from './request-details.ts';

const denied = (request: string, encoded: string) =>
  `spec.ami: UnauthorizedOperation: You are not authorized. Encoded authorization failure message: ${encoded} (request ${request})`;

it('withoutRequestDetails removes the request id and the encoded authorization message, and nothing else', () => {
  expect(withoutRequestDetails(`${denied('r-1', 'a_Z-9+/=')}; grant it (or ask)`)).toBe(
    'spec.ami: UnauthorizedOperation: You are not authorized.; grant it (or ask)',
  );
  expect(withoutRequestDetails('* Machine a: x (request r-1)\n* Machine b: y (request r-2)')).toBe(
    '* Machine a: x\n* Machine b: y',
  );
});

it('saySame compares messages without request details', () => {
  expect(saySame(denied('r-1', 'a'), denied('r-2', 'b'))).toBe(true);
  expect(saySame('x (request r-1)', 'y (request r-1)')).toBe(false);
  expect(saySame(undefined, '')).toBe(true);
});
