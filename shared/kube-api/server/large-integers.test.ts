import { describe, expect, it } from 'vitest';
import { gizmo } from '../test-kinds.ts';
import { createTestServer, PATH } from './test-server.ts';

const bodies = (integer: string) => {
  const object = { ...gizmo('one'), spec: { version: 'v1.30', parts: [{ name: 'a', count: 'COUNT' }] } };
  const json = JSON.stringify(object).replace('"COUNT"', integer);
  const yaml = `apiVersion: ${object.apiVersion}\nkind: Gizmo\nmetadata: {name: one}\nspec: {version: v1.30, parts: [{name: a, count: ${integer}}]}`;
  return [
    [json, 'application/json'],
    [yaml, 'application/yaml'],
  ] as const;
};

describe('integers of a body', () => {
  it.each(['9007199254740993', '-1700000000000000001', '9223372036854775808'])(
    'are refused if they would be rounded: %s',
    async (integer) => {
      for (const [body, type] of bodies(integer)) {
        const { call } = await createTestServer();
        const refused = await call('POST', PATH, body, { 'content-type': type });
        expect(refused).toMatchObject({ code: 400, body: { reason: 'BadRequest' } });
        expect(refused.body.message).toContain('"spec.parts[0].count" would be rounded');
      }
    },
  );

  it.each([7, 9007199254740991, 1700000000000000000])('are kept if they are exact: %d', async (integer) => {
    for (const [body, type] of bodies(String(integer))) {
      const { call } = await createTestServer();
      const { body: created } = await call('POST', PATH, body, { 'content-type': type });
      expect(created.spec.parts[0].count).toBe(integer);
    }
  });

  it('are not looked for in fractions, which the schema refuses', async () => {
    for (const [body, type] of bodies('0.12345678901234567890')) {
      const { call } = await createTestServer();
      const refused = await call('POST', PATH, body, { 'content-type': type });
      expect(refused).toMatchObject({ code: 422, body: { reason: 'Invalid' } });
      expect(refused.body.message).toContain('spec.parts[0].count');
    }
  });

  it('are not looked for in strings', async () => {
    const { call } = await createTestServer();
    const text = { ...gizmo('one'), metadata: { name: 'one', annotations: { a: '9007199254740993' } } };
    expect((await call('POST', PATH, text)).code).toBe(201);
  });
});
