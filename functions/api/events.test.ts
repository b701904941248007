/** Events under both their addresses: core/v1 and events.k8s.io/v1. */
import { beforeEach, expect, it } from 'vitest';
import { createTestApi } from './test-api.ts';

const CORE = '/api/v1/namespaces/default/events';
const V1 = '/apis/events.k8s.io/v1/namespaces/default/events';

const regarding = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'one' };
const newer = (name: string) => ({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name, namespace: 'default' },
  eventTime: '2026-01-01T00:00:00.123456Z',
  regarding,
  reason: 'Made',
  action: 'Make',
  note: 'It was made',
  type: 'Normal',
  reportingController: 'example.com/maker',
  reportingInstance: 'maker-1',
});
const older = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace: 'default' },
  involvedObject: regarding,
  reason: 'Made',
  message: 'It was made',
  type: 'Normal',
  source: { component: 'maker' },
  firstTimestamp: '2026-01-01T00:00:00Z',
  lastTimestamp: '2026-01-01T00:00:09Z',
  count: 3,
});

let api: ReturnType<typeof createTestApi>;
beforeEach(() => {
  api = createTestApi();
});

it('are the same events in both API groups', async () => {
  expect((await api.admin.ask('POST', V1, newer('new'))).code).toBe(201);
  expect((await api.admin.ask('POST', CORE, older('old'))).code).toBe(201);

  const core = await api.admin.ask('GET', `${CORE}/new`);
  expect(core.body).toMatchObject({
    apiVersion: 'v1',
    involvedObject: regarding,
    message: 'It was made',
    reportingComponent: 'example.com/maker',
    eventTime: '2026-01-01T00:00:00.123456Z',
    firstTimestamp: null,
  });
  const v1 = await api.admin.ask('GET', `${V1}/old`);
  expect(v1.body).toMatchObject({
    apiVersion: 'events.k8s.io/v1',
    regarding,
    note: 'It was made',
    deprecatedSource: { component: 'maker' },
    deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
    deprecatedCount: 3,
  });
  expect(v1.body.metadata.annotations).toBeUndefined();
  expect(v1.body.metadata.uid).toBe((await api.admin.ask('GET', `${CORE}/old`)).body.metadata.uid);
});

it('are listed, selected and deleted in both API groups', async () => {
  await api.admin.ask('POST', V1, newer('new'));
  await api.admin.ask('POST', CORE, older('old'));
  const names = async (path: string) =>
    (await api.admin.ask('GET', path)).body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
  expect(await names(V1)).toEqual(await names(CORE));
  expect(await names(`${V1}?fieldSelector=regarding.name%3Done,reportingController%3Dexample.com/maker`)).toEqual([
    'new',
  ]);
  expect(await names(`${CORE}?fieldSelector=involvedObject.name%3Done,reportingComponent%3Dexample.com/maker`)).toEqual(
    ['new'],
  );
  expect((await api.admin.ask('DELETE', `${V1}/old`)).code).toBe(200);
  expect(await names(CORE)).toEqual(['new']);
});

it('must meet the stricter rules only in the newer API group', async () => {
  const { eventTime: _, ...timeless } = newer('new');
  const refused = await api.admin.ask('POST', V1, { ...timeless, type: 'Odd', deprecatedCount: 2 });
  expect(refused.code).toBe(422);
  expect(refused.body.details.causes.map(({ field }: { field: string }) => field)).toEqual([
    'eventTime',
    'type',
    'count',
  ]);
  await api.admin.ask('POST', V1, newer('new'));
  const series = { count: 2, lastObservedTime: '2026-01-01T00:00:05.000000Z' };
  expect((await api.admin.ask('PATCH', `${V1}/new`, { series })).body.series).toEqual(series);
  const changed = await api.admin.ask('PATCH', `${V1}/new`, { note: 'Another' });
  expect(changed.body.message).toContain('message: Invalid value: "Another": field is immutable');
  expect((await api.admin.ask('PATCH', `${CORE}/new`, { message: 'Another' })).code).toBe(200);
});

it('show their times in UTC, with the precision of the field, whatever form a client sends', async () => {
  const sent = { ...newer('new'), eventTime: '2026-01-01T02:00:00.123456+02:00' };
  expect((await api.admin.ask('POST', V1, sent)).body.eventTime).toBe('2026-01-01T00:00:00.123456Z');
  const series = { count: 2, lastObservedTime: '2025-12-31T19:00:05.000007-05:00' };
  const repeated = await api.admin.ask('PATCH', `${V1}/new`, { series });
  expect(repeated.body.series).toEqual({ count: 2, lastObservedTime: '2026-01-01T00:00:05.000007Z' });

  const [firstTimestamp, lastTimestamp] = ['2026-01-01T10:00:00+10:00', '2026-01-01T00:00:09.987654Z'];
  const none = '0001-01-01T00:00:00.000000Z';
  await api.admin.ask('POST', CORE, { ...older('old'), firstTimestamp, lastTimestamp, eventTime: none });
  expect((await api.admin.ask('GET', `${CORE}/old`)).body).toMatchObject({
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:09Z',
    eventTime: null,
  });
  expect((await api.admin.ask('GET', `${V1}/old`)).body).toMatchObject({
    deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
    deprecatedLastTimestamp: '2026-01-01T00:00:09Z',
  });
});

it('do not change if a client sends the same time in another form', async () => {
  const created = await api.admin.ask('POST', V1, newer('new'));
  const sent = { ...newer('new'), eventTime: '2026-01-01T02:00:00.123456+02:00' };
  const { resourceVersion } = created.body.metadata;
  const again = await api.admin.ask('PUT', `${V1}/new`, { ...sent, metadata: { ...sent.metadata, resourceVersion } });
  expect(again.code).toBe(200);
  expect(again.body.metadata.resourceVersion).toBe(resourceVersion);
});
