import { expect, it } from 'vitest';
import { createTestServer, PATH } from './server/test-server.ts';
import { gizmo } from './test-kinds.ts';

it.each([
  [{ toString: null, valueOf: null }, '()'],
  [null, '()'],
  [7, '(7)'],
  ['v0', '(v0)'],
])('refuses the apiVersion %j with a message', async (apiVersion, shown) => {
  const { call } = await createTestServer();

  const { code, body } = await call('POST', PATH, { ...gizmo('one'), apiVersion });

  expect(code).toBe(400);
  expect(JSON.stringify(body)).toContain(`the API version in the data ${shown} does not match`);
});
