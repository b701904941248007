/** For tests only: sends wrong requests to a server of the test kinds. */
import { seededNumbers } from '../../seeded-random.ts';
import { gizmo } from '../test-kinds.ts';
import { type WrongRequest, wrongRequest } from './test-fuzzer.ts';
import { createTestServer, PATH } from './test-server.ts';

const PATHS = [
  ...[PATH, `${PATH}/one`, `${PATH}/one/status`, `${PATH}/one/scale`, '/apis/toys.windlass.dev/v1beta2/gizmos'],
  ...[
    '/api/v1/namespaces/default/secrets',
    '/api/v1/namespaces/default/configmaps/one',
    '/api/v1/namespaces/default/events',
  ],
  ...['/apis', '/api/v1', '/openapi/v2', '/openapi/v3', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'],
  ...[
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    '/',
    '//',
  ],
];

/** A server with one object, to which wrong requests can be sent. */
export const createFuzz = async (seed: number) => {
  const { server, call } = await createTestServer({ watch: { pollMilliseconds: 500, maxSeconds: 1 } });
  const next = seededNumbers(seed);
  await call('POST', PATH, gizmo('one'));

  /** The next request, and the error in its answer, if any. */
  const one = async (): Promise<{ request: WrongRequest; complaint: string | undefined }> => {
    const request = wrongRequest(next, PATHS, gizmo('one', { parts: [{ name: 'a' }] }));
    const { method, path, headers, body } = request;
    const sent = new Request(`http://test${path}`, { method, headers, ...(body ? { body } : {}) });
    const response = await server.fetch(sent, { name: 'fuzzer', groups: [] });
    return { request, complaint: complaintOf(response.status, await response.text(), headers) };
  };

  /** Sends this many requests, and returns complaints about the first few invalid responses. */
  const send = async (count: number): Promise<string[]> => {
    const complaints: string[] = [];
    for (let number = 0; number < count && complaints.length < 5; number += 1) {
      const { request, complaint } = await one();
      const { method, path, headers } = request;
      if (complaint)
        complaints.push(`seed ${seed}, request ${number}: ${method} ${path} ${JSON.stringify(headers)}: ${complaint}`);
    }
    return complaints;
  };
  return { send, isAlive: async () => (await call('GET', PATH)).code === 200 };
};

/** As in upstream, 504 is the response for a version in the future. */
const complaintOf = (status: number, text: string, headers: Record<string, string>): string | undefined => {
  if (status >= 500 && !(status === 504 && text.includes('Too large resource version'))) return `${status} ${text}`;
  if (status < 400 || headers.accept === 'application/yaml') return undefined;
  if (status === 404 && (text === '404 page not found\n' || text === '')) return undefined;
  if (status === 400 && text === '400 Bad Request') return undefined;
  const { kind, code } = JSON.parse(text) as { kind?: string; code?: number };
  return kind === 'Status' && code === status ? undefined : `${status} with ${text}`;
};
