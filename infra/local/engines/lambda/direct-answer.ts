import type { WireServer } from '../wire/server.ts';
import type { DirectAnswer, DirectRequest } from './messages.ts';

/** AWS's response to a request that was not sent over HTTP. `endpoint` is the URL that the client addressed. */
export const directAnswerOf = async (
  aws: Pick<WireServer, 'answer'>,
  endpoint: string,
  { method, path, headers, body }: DirectRequest,
): Promise<DirectAnswer> => {
  const answer = await aws.answer({ method, url: new URL(path, endpoint), headers, body: Buffer.from(body as string) });
  if (typeof answer.body === 'string') return answer;
  // Text is cheaper to pass on, but an object from S3 may contain any bytes. A copy does not include the pool of its
  // Buffer.
  const isText = /json/.test(answer.headers['content-type'] ?? '');
  const { buffer, byteOffset, byteLength } = answer.body;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return { ...answer, body: isText ? bytes.toString() : new Uint8Array(bytes) };
};
