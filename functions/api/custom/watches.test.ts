import { expect, it } from 'vitest';
import { createTestApi } from '../test-api.ts';
import { CRDS, definition, version, WIDGETS, widget } from './test-widgets.ts';

const CRD = `${CRDS}/widgets.example.com`;

/** The definition with a further field, which the former one prunes. */
const extended = () => {
  const { schema, ...rest } = version('v1');
  const { spec, ...properties } = schema.openAPIV3Schema.properties;
  const label = { type: 'string', default: 'none' };
  const changed = { ...spec, properties: { ...spec.properties, label } };
  return { ...rest, schema: { openAPIV3Schema: { type: 'object', properties: { ...properties, spec: changed } } } };
};

interface Event {
  type: string;
  object: { metadata: { name: string; resourceVersion: string }; spec?: object };
}

const setUp = async () => {
  const api = createTestApi();
  const { ask } = api.admin;
  await ask('POST', CRDS, definition());
  /** Events until there are as many, or the watch has ended. */
  const watch = async (resourceVersion: string) => {
    const path = `${WIDGETS}?watch=true&allowWatchBookmarks=true&resourceVersion=${resourceVersion}`;
    const reader = (await api.admin.send('GET', path)).body?.getReader();
    const events: Event[] = [];
    return async (count: number): Promise<Event[]> => {
      while (events.length < count) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) break;
        const text = new TextDecoder().decode(value).trim();
        if (text !== '') events.push(JSON.parse(text));
      }
      return events.splice(0).filter(({ type }) => type !== 'BOOKMARK');
    };
  };
  const { body } = await ask('POST', WIDGETS, widget('first'));
  return { ask, watch, since: body.metadata.resourceVersion as string };
};

it('a watch ends when the schema of its kind changes, and the next one shows objects of the new schema', async () => {
  const { ask, watch, since } = await setUp();
  const before = await watch(since);
  const { body } = await ask('POST', WIDGETS, widget('second'));
  expect(await before(1)).toMatchObject([{ type: 'ADDED', object: { metadata: { name: 'second' } } }]);
  await ask('PATCH', CRD, { spec: { versions: [extended()] } });
  await ask('POST', WIDGETS, widget('third', { color: 'red', label: 'new' }));
  expect(await before(Number.POSITIVE_INFINITY)).toEqual([]);
  const after = await watch(body.metadata.resourceVersion);
  expect(await after(1)).toMatchObject([
    { type: 'ADDED', object: { metadata: { name: 'third' }, spec: { label: 'new' } } },
  ]);
});

it('a watch continues when another kind is defined', async () => {
  const { ask, watch, since } = await setUp();
  const events = await watch(since);
  await ask('POST', CRDS, definition('gadgets', 'Gadget'));
  await ask('POST', WIDGETS, widget('second'));
  expect(await events(1)).toMatchObject([{ type: 'ADDED', object: { metadata: { name: 'second' } } }]);
});
