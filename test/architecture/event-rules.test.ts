import { describe, expect, it } from 'vitest';
import { EVENT_CATALOGUES } from '../../infra/cli/docs/event-catalogues.ts';
import { normal, warning } from '../../shared/events/catalogue.ts';
import { recorderProblems, unrecordedReasons } from './event-rules.ts';
import { importsOf, makeSource, readSources } from './source.ts';

describe('events', () => {
  it('are recorded for every reason in the catalogues', () => {
    const sources = readSources('functions', 'shared');
    expect(EVENT_CATALOGUES.flatMap((catalogue) => unrecordedReasons(catalogue, sources))).toEqual([]);
  });

  it('have reasons from a catalogue', () => {
    expect(readSources('functions').flatMap(recorderProblems)).toEqual([]);
  });

  it('are documented for every catalogue', () => {
    const [list] = readSources('infra').filter(({ path }) => path === 'infra/cli/docs/event-catalogues.ts');
    const listed = new Set(list && importsOf(list).map(({ target }) => target));
    const all = readSources('functions').filter(({ path }) => path.endsWith('/reasons.ts'));
    // Its reasons are in the catalogues of the network and of the load balancers.
    const parts = ['functions/providers/aws/infrastructure/reasons.ts'];
    expect(all.map(({ path }) => path).filter((path) => !listed.has(path) && !parts.includes(path))).toEqual([]);
    expect(all.length).toBeGreaterThan(15);
  });
});

describe('the event rules', () => {
  const reasons = { Painted: normal({}), FailedBuyToy: warning({}), ShelfWarning: warning({}), Sold: normal({}) };
  const shop = makeSource('functions/shop/sell.ts', "record('Painted'); call('BuyToy'); claim('Shelf');");

  it('find a reason that nothing records', () => {
    const catalogue = makeSource('functions/shop/reasons.ts', "const all = ['Sold'];");
    const test = makeSource('functions/shop/sell.test.ts', "expect('Sold');");
    const elsewhere = makeSource('functions/other/sell.ts', "record('Sold');");
    const sources = [shop, catalogue, test, elsewhere];
    expect(unrecordedReasons({ reasons, recordedIn: ['functions/shop/'] }, sources)).toEqual(['Sold']);
  });

  it('find code that records without a catalogue', () => {
    const text = "import { recordEvent } from '../../shared/events/record.ts';";
    expect(recorderProblems(makeSource('functions/shop/sell.ts', text))).toHaveLength(1);
    expect(recorderProblems(makeSource('functions/shop/sell.test.ts', text))).toEqual([]);
    expect(recorderProblems(shop)).toEqual([]);
  });
});
