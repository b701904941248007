import { expect, it } from 'vitest';
import { seededNumbers } from '../../store/test-table.ts';
import { gizmo } from '../test-kinds.ts';
import { wrongRequest } from './test-fuzzer.ts';
import { createTestServer, PATH } from './test-server.ts';

/** 20,000 in the conformance suite (`WINDLASS_FUZZ_REQUESTS`); `WINDLASS_FUZZ_SEED` repeats a run. */
const REQUESTS = Number(process.env.WINDLASS_FUZZ_REQUESTS ?? 400);
const SEED = Number(process.env.WINDLASS_FUZZ_SEED ?? 1);
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

it(`answers ${REQUESTS} requests that nobody should send, and goes on`, async () => {
  const { server, call } = await createTestServer({ watch: { pollMilliseconds: 500, maxSeconds: 1 } });
  const next = seededNumbers(SEED);
  await call('POST', PATH, gizmo('one'));
  const user = { name: 'fuzzer', groups: [] };
  for (let number = 0; number < REQUESTS; number += 1) {
    const { method, path, headers, body } = wrongRequest(next, PATHS, gizmo('one', { parts: [{ name: 'a' }] }));
    const request = new Request(`http://test${path}`, { method, headers, ...(body ? { body } : {}) });
    const response = await server.fetch(request, user);
    const text = await response.text();
    // 504 is the answer to a version of the future, as upstream.
    const isAnswer = response.status < 500 || (response.status === 504 && text.includes('Too large resource version'));
    expect(isAnswer, `seed ${SEED}, request ${number}: ${method} ${path} ${JSON.stringify(headers)} → ${text}`).toBe(
      true,
    );
    if (response.status >= 400 && headers.accept !== 'application/yaml') {
      expect(JSON.parse(text)).toMatchObject({ kind: 'Status', status: 'Failure', code: response.status });
    }
  }
  expect(({} as Record<string, unknown>).a).toBeUndefined();
  expect((await call('GET', PATH)).code).toBe(200);
});
