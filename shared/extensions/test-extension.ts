/** For tests: an extension over TLS, whose responses the test sets. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readJson } from '../decode/json.ts';
import type { JsonObject } from '../kube-api/json.ts';
import { makeClusterPems } from '../workload/test-server.ts';

export interface TestAnswer {
  code?: number;
  /** Text, or a value that is sent as JSON. Without it, there is no response. */
  body: unknown;
  headers?: Record<string, string>;
}

export interface TestExtension {
  url: string;
  caBundle: string;
  /** Requested paths, in order. */
  asked: string[];
  requests: JsonObject[];
  answer: (path: string, request: JsonObject) => TestAnswer;
  close(): Promise<void>;
}

/** Serves until it is closed. */
export const startExtension = async (): Promise<TestExtension> => {
  const pems = await makeClusterPems();
  const { certificatePem: cert, privateKeyPem: key } = pems.server;
  const server = createServer({ cert, key }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = readJson(Buffer.concat(chunks).toString()) as JsonObject;
    extension.asked.push(request.url ?? '');
    extension.requests.push(sent);
    const { code = 200, body, headers = {} } = extension.answer(request.url ?? '', sent);
    if (body === undefined) return;
    response.writeHead(code, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const extension: TestExtension = {
    url: '',
    caBundle: Buffer.from(pems.ca.certificatePem).toString('base64'),
    asked: [],
    requests: [],
    answer: () => ({ body: { status: 'Success' } }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  extension.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return extension;
};
