import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import './quick-dynalite.ts';

const require = createRequire(import.meta.url);
const { unsigned } = createRequire(require.resolve('dynalite'))('buffer-crc32') as { unsigned(body: string): number };

it.each([
  { body: '123456789', sum: 0xcbf43926 },
  { body: '', sum: 0 },
  { body: '{"S":"größer 漢字"}', sum: 0xd9a8a92f },
])('the checksum of $body is that of its bytes', ({ body, sum }) => {
  expect(unsigned(body)).toBe(sum);
});
