/** The cost of a run, as text. */
import { HOURS_PER_MONTH } from '../../../shared/providers/aws/plan/cost/prices.ts';
import type { Bill, BillLine } from '../../../shared/providers/aws/plan/cost/usage.ts';
import { columns } from '../describe/table.ts';

/** `0.0129` dollars; from one dollar on, with cents only. */
const dollars = (usd: number): string => usd.toFixed(Math.abs(usd) < 1 ? 4 : 2);

/** `1,234`; small numbers with two significant digits. */
const quantityText = (quantity: number): string =>
  quantity.toLocaleString('en-US', quantity < 10 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 });

/** Parts of a month are given in hours. */
const itemText = ({ quantity, item }: BillLine): string =>
  quantity < 1 && item.endsWith('-months')
    ? `${quantityText(quantity * HOURS_PER_MONTH)} ${item.replace(/-months$/, '-hours')}`
    : `${quantityText(quantity)} ${item}`;

const WORTH_SAYING = 0.00005;

const serviceRow = (service: string, lines: readonly BillLine[]) => {
  const usd = lines.reduce((sum, line) => sum + (line.usd ?? 0), 0);
  const items = lines.map(itemText).join(', ');
  return { usd, row: [dollars(usd), service, items] };
};

/** A line for each service that costs something, the most expensive first. */
const billLines = ({ lines }: Pick<Bill, 'lines'>): string[] => {
  const services = [...Map.groupBy(lines, ({ service }) => service)].map(([service, own]) => serviceRow(service, own));
  const dearest = services.filter(({ usd }) => usd >= WORTH_SAYING).toSorted((a, b) => b.usd - a.usd);
  return columns(
    dearest.map(({ row }) => row),
    { header: 0 },
  );
};

/** What AWS would have billed for a run of the installation, and what this does not include. */
export const runBillText = (bill: Bill): string =>
  [
    `On AWS, Windlass would have cost ${bill.isLowerBound ? 'at least ' : ''}${dollars(bill.usd)} USD for this run (docs/cost.md):`,
    '',
    ...billLines(bill).map((line) => `  ${line}`),
    '',
    `${bill.sources.join(' and ')}, without free tiers. Instances, gateways and load balancers of clusters are not included.`,
  ].join('\n');
