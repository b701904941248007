/** Windlass's own usage of AWS's services, in the units that AWS bills. Pure. */
import { findPrice, type PriceList } from './prices.ts';
import { type ServiceUnit, UNITS } from './units.ts';

/** The number of each unit; an omitted unit was not used. */
export type Usage = Readonly<Partial<Record<ServiceUnit, number>>>;

/** One unit in a bill. */
export interface BillLine {
  unit: ServiceUnit;
  service: string;
  /** The name for users: `state transitions`. */
  item: string;
  quantity: number;
  /** Undefined if no list has a price. */
  usd?: number;
}

/** List prices, without free tiers and discounts. */
export interface Bill {
  /** For all units with a known price. */
  usd: number;
  /** At least one unit has no known price and is not counted. */
  isLowerBound: boolean;
  lines: readonly BillLine[];
  /** The sources of the prices: `AWS list prices of us-east-1, 2026-07-20`. */
  sources: readonly string[];
}

const unitsOf = (usage: Usage): [ServiceUnit, number][] =>
  (Object.keys(UNITS) as ServiceUnit[]).flatMap((unit) => (usage[unit] ? [[unit, usage[unit]]] : []));

const combined = (a: Usage, b: Usage, factor: number): Usage => {
  const sum: Partial<Record<ServiceUnit, number>> = { ...a };
  for (const [unit, quantity] of unitsOf(b)) sum[unit] = (sum[unit] ?? 0) + factor * quantity;
  return sum;
};

export const addUsage = (...all: readonly Usage[]): Usage => all.reduce<Usage>((sum, one) => combined(sum, one, 1), {});

/** What was used between two readings of a meter. */
export const usageSince = (before: Usage, after: Usage): Usage => combined(after, before, -1);

export const timesUsage = (usage: Usage, factor: number): Usage => combined({}, usage, factor);

/** `usage` without some units. */
export const withoutUnits = (usage: Usage, units: readonly ServiceUnit[]): Usage =>
  Object.fromEntries(unitsOf(usage).filter(([unit]) => !units.includes(unit)));

/** The price of `usage` in a region. `lists`: those of users take precedence over AWS's. */
export const billOf = (usage: Usage, region: string, lists: readonly PriceList[]): Bill => {
  const sources = new Set<string>();
  const lines = unitsOf(usage).map(([unit, quantity]): BillLine => {
    const { service, item } = UNITS[unit];
    const found = findPrice(lists, region, ({ services }) => services?.[unit]);
    if (found === undefined) return { unit, service, item, quantity };
    if (found.price > 0) sources.add(`${found.list.name} of ${found.region}, ${found.list.date}`);
    return { unit, service, item, quantity, usd: found.price * quantity };
  });
  return {
    usd: lines.reduce((sum, { usd = 0 }) => sum + usd, 0),
    isLowerBound: lines.some(({ usd }) => usd === undefined),
    lines,
    sources: [...sources],
  };
};
