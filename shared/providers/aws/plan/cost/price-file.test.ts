import { describe, expect, it } from 'vitest';
import { readPriceFile } from './price-file.ts';

const file = (region: string): string => `date: 2026-11-01\nregions:\n  eu-central-1: ${region}\n`;

describe('a file of prices', () => {
  it('has prices of regions, in YAML or JSON', () => {
    const region = { instances: { 't3.large': 0.096 }, natGateway: 0.052, volumes: { gp3: { gibibyte: 0.0952 } } };
    const expected = { name: 'your prices', date: '2026-11-01', regions: { 'eu-central-1': region } };
    expect(
      readPriceFile(file('{instances: {t3.large: 0.096}, natGateway: 0.052, volumes: {gp3: {gibibyte: 0.0952}}}')),
    ).toEqual(expected);
    expect(readPriceFile(JSON.stringify({ date: '2026-11-01', regions: { 'eu-central-1': region } }))).toEqual(
      expected,
    );
  });

  it.each([
    [file('{instances: {t3.large: free}}'), 'regions.eu-central-1.instances["t3.large"] must be a number'],
    [file('{natGateway: -1}'), 'regions.eu-central-1.natGateway must not be negative'],
    [file('{gateway: 1}'), 'regions.eu-central-1 has unknown fields: gateway'],
    [file('{volumes: {gp3: {}}}'), 'regions.eu-central-1.volumes.gp3.gibibyte must be a number'],
    ['date: yesterday\nregions: {}', 'date must be a day such as 2026-07-20'],
    ['regions: {}', 'date must be a day such as 2026-07-20'],
    ['date: 2026-11-01\nregions: {Frankfurt: {}}', 'regions.Frankfurt must be a region such as eu-central-1'],
    ['', 'the file must be a map'],
    ['a: [', 'is not readable YAML'],
  ])('%j is refused, and the field is named', (text, message) => {
    expect(() => readPriceFile(text)).toThrow(message);
  });
});
