import type { ServerResponse } from 'node:http';
import { expect, it, vi } from 'vitest';
import { makeStreamedResponse } from './streamed-response.ts';

const setUp = () => {
  const outgoing = { writeHead: vi.fn(), write: vi.fn(() => true), end: vi.fn(), flushHeaders: vi.fn() };
  const streamed = makeStreamedResponse(outgoing as unknown as ServerResponse, {});
  const send = async (text: string) => streamed.reader.chunk(Buffer.from(text), false);
  return { outgoing, streamed, send };
};

const metadataOf = (length: number): string => JSON.stringify({ headers: { warning: 'w'.repeat(length) } });
const DELIMITER = '\0'.repeat(8);

it('sends the headers when the metadata is complete', async () => {
  const { outgoing, streamed, send } = setUp();
  await send('{"statusCode":201,');
  expect(streamed.hasBegun()).toBe(false);
  await send(`"headers":{"a":"b"}}${DELIMITER}body`);
  expect(outgoing.writeHead).toHaveBeenCalledWith(201, { a: 'b' });
  expect(outgoing.write).toHaveBeenCalledWith(Buffer.from('body'));
});

it('accepts up to 16 KB of metadata including the delimiter, as API Gateway does', async () => {
  const around = metadataOf(0).length + DELIMITER.length;
  const largest = setUp();
  await largest.send(`${metadataOf(16 * 1024 - around)}${DELIMITER}`);
  expect(largest.streamed.hasBegun()).toBe(true);
  const { outgoing, streamed, send } = setUp();
  await expect(send(`${metadataOf(16 * 1024 - around + 1)}${DELIMITER}`)).rejects.toThrow('more than 16384 bytes');
  expect(streamed.hasBegun()).toBe(false);
  expect(outgoing.writeHead).not.toHaveBeenCalled();
});
