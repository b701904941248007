import { describe, expect, it } from 'vitest';
import { Work } from '../work.ts';
import { foreignScalars } from './foreign-scalars.ts';

describe('the format', () => {
  it.each([
    ['ipv4', '1.2.3.4', true],
    ['ipv4', '01.2.003.0', true],
    ['ipv4', '1.2.3', false],
    ['ipv4', '1.2.3.256', false],
    ['ipv4', '1.2.3.4.', false],
    ['cidr', '010.0.0.0/8', true],
    ['cidr', 'fd00::/8', true],
    ['cidr', '10.0.0.0/33', false],
    ['duration', '1d', true],
    ['duration', '1h30m', true],
    ['duration', '1.5d', false],
    ['unknown', 'anything', true],
  ])('%s matches %j: %j', (format, text, has) => {
    expect(foreignScalars(new Work()).hasFormat(format, text)).toBe(has);
  });
});
