import { Buffer } from 'node:buffer';
import type { ProxyAnswer, ProxyEvent } from '../api/gateway/proxy-event.ts';
import type { Reply, Report } from './report.ts';

/** The only header that is read. Its name may have any case: API Gateway passes names on as the client wrote them. */
const authorizationOf = (headers: ProxyEvent['headers']): string | undefined =>
  Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'authorization')?.[1];

/** Turns an event of API Gateway into a report. The size of the body matters, its content does not. */
export const reportOf = ({ path, headers, body, isBase64Encoded }: ProxyEvent): Report => ({
  path,
  authorization: authorizationOf(headers),
  bytes: Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
});

export const answerOf = ({ status, retryAfter }: Reply): ProxyAnswer => ({
  statusCode: status,
  headers: {
    'content-type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  },
  body: '{}',
});
