import { expect, it } from 'vitest';
import { KINDS } from '../../../shared/kinds/index.ts';
import { createMemoryOwnerIndex } from '../../../shared/kube-api/garbage/owner-index.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { jsonLog } from '../../../shared/log.ts';
import { createMemoryRecords } from '../../../shared/store/records/memory-records.ts';
import { createMemoryPledges } from '../../../shared/store/work/memory-pledges.ts';
import { createApi } from '../app.ts';

/** The API's messages and logs about Secrets that it cannot read or accept. */

const CANARY = 'c4nary';
const SECRETS = '/api/v1/namespaces/default/secrets';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (fields: object) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, ...fields });
const yaml = (lines: string) => `apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n${lines}\n`;

const makeServer = () => {
  const lines: string[] = [];
  const storage = createMemoryStorage();
  const api = createApi({
    kinds: KINDS,
    storage,
    records: createMemoryRecords(),
    pledges: createMemoryPledges({ clock: { now: () => new Date('2026-01-02T03:04:05Z') } }),
    owners: createMemoryOwnerIndex(),
    touch: async () => {},
    clock: { now: () => new Date('2026-01-02T03:04:05Z'), sleep: async () => {} },
    random: { bytes: (length) => new Uint8Array(length), uuid: () => 'uid' },
    log: jsonLog((line) => lines.push(line)),
  });
  const send = async (method: string, path: string, type: string, body: string) => {
    const request = new Request(`https://api${path}`, { method, headers: { 'content-type': type }, body });
    const answer = await api(request, { name: 'editor', groups: ['system:masters'] });
    return { code: answer.status, text: `${await answer.text()} ${answer.headers.get('warning') ?? ''}` };
  };
  return { lines, send, storage };
};

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const MERGE = 'application/merge-patch+json';
const PATCH = 'application/json-patch+json';

it.each([
  ['an unknown alias', 'POST', YAML_TYPE, yaml(`data: {key: *${CANARY}}`)],
  ['an unknown tag', 'POST', YAML_TYPE, yaml(`data: {key: !<${CANARY}`)],
  ['a quote that does not end', 'POST', YAML_TYPE, yaml(`data: {key: "${CANARY}`)],
  ['a tab', 'POST', YAML_TYPE, yaml(`data:\n\t${CANARY}: ${CANARY}`)],
  ['a superfluous colon', 'POST', YAML_TYPE, yaml(`data: ${CANARY}: ${CANARY}`)],
  ['a directive', 'POST', YAML_TYPE, `%${CANARY} x\n---\n- ${CANARY}: [`],
  ['invalid JSON', 'POST', JSON_TYPE, `{"data": {"key": ${CANARY}}}`],
  ['a string that does not end', 'POST', JSON_TYPE, `{"data": {"key": "${CANARY}`],
  ['a string instead of an object', 'POST', JSON_TYPE, JSON.stringify(CANARY)],
  ['invalid base64', 'POST', JSON_TYPE, secret({ data: { key: `%%${CANARY}` } })],
  ['a list instead of a string', 'POST', JSON_TYPE, secret({ data: { key: [CANARY] } })],
  ['an object instead of a string', 'POST', JSON_TYPE, secret({ stringData: { key: { value: CANARY } } })],
  ['a string instead of the data', 'POST', JSON_TYPE, secret({ data: CANARY })],
  ['a string instead of a boolean', 'POST', JSON_TYPE, secret({ immutable: CANARY })],
  [
    'an invalid registry',
    'POST',
    JSON_TYPE,
    secret({ type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64(CANARY) } }),
  ],
  ['invalid base64 in a patch', 'PATCH', MERGE, JSON.stringify({ data: { kept: `%%${CANARY}` } })],
  ['invalid JSON in a patch', 'PATCH', MERGE, `{"data": ${CANARY}}`],
  [
    'a patch of a missing field',
    'PATCH',
    PATCH,
    JSON.stringify([{ op: 'replace', path: '/data/none', value: CANARY }]),
  ],
  ['a test that fails', 'PATCH', PATCH, JSON.stringify([{ op: 'test', path: '/data/kept', value: CANARY }])],
  ['an unknown operation', 'PATCH', PATCH, JSON.stringify([{ op: 'spy', path: '/data/kept', value: CANARY }])],
  ['invalid YAML in an apply', 'PATCH', 'application/apply-patch+yaml', yaml(`data: {key: *${CANARY}}`)],
])('quotes nothing of a Secret with %s', async (_, method, type, body) => {
  const { lines, send } = makeServer();
  const kept = await send(
    'POST',
    SECRETS,
    JSON_TYPE,
    JSON.stringify({ metadata: { name: 'b' }, data: { kept: base64(`own ${CANARY}`) } }),
  );
  expect(kept.code).toBe(201);
  const path = method === 'PATCH' ? `${SECRETS}/b?fieldManager=tester&force=true` : SECRETS;
  const { code, text } = await send(method, path, type, body);
  expect(code).toBeGreaterThanOrEqual(400);
  expect(code).toBeLessThan(500);
  for (const said of [text, lines.join('\n')]) {
    expect(said).not.toContain(CANARY);
    expect(said).not.toContain(base64(CANARY).slice(0, 6));
  }
});

it('logs an unexpected error without quoting the data', async () => {
  const { lines, send, storage } = makeServer();
  await send('POST', SECRETS, JSON_TYPE, secret({}));
  storage.get = async () => JSON.parse(CANARY);
  const { code, text } = await send('PATCH', `${SECRETS}/a`, MERGE, '{}');
  expect(code).toBe(500);
  expect(lines.join('\n')).toContain('SyntaxError');
  expect(lines.join('\n') + text).not.toContain(CANARY);
});
