/** A user's file of prices: for other regions, other instance types, or negotiated prices. */
import * as z from 'zod';
import { readYaml } from '../../../../decode/yaml.ts';
import type { PriceList } from './prices.ts';
import { type ServiceUnit, UNITS } from './units.ts';

const amount = z.number().nonnegative();

const byName = z.record(z.string(), amount);

const volume = z.strictObject({
  gibibyte: amount,
  iops: amount.optional(),
  includedIops: amount.optional(),
  throughput: amount.optional(),
  includedThroughput: amount.optional(),
});

const services = z.strictObject(
  Object.fromEntries((Object.keys(UNITS) as ServiceUnit[]).map((unit) => [unit, amount.optional()])) as Record<
    ServiceUnit,
    z.ZodOptional<typeof amount>
  >,
);

const region = z.strictObject({
  instances: byName.optional(),
  spot: byName.optional(),
  natGateway: amount.optional(),
  networkLoadBalancer: amount.optional(),
  classicLoadBalancer: amount.optional(),
  publicIpv4: amount.optional(),
  eksControlPlane: amount.optional(),
  volumes: z.record(z.string(), volume).optional(),
  services: services.optional(),
});

const DAY = 'must be a day such as 2026-07-20';

const priceFile = z.strictObject({
  date: z.string(DAY).regex(/^\d{4}-\d{2}-\d{2}$/, DAY),
  regions: z.record(z.string().regex(/^[a-z]{2,}(?:-[a-z]+)+-\d+$/, 'must be a region such as eu-central-1'), region),
});

type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
  number: 'a number',
  string: 'a text',
  object: 'a map',
  record: 'a map',
};

const sentence = (issue: Issue): string => {
  if (issue.code === 'unrecognized_keys') return `has unknown fields: ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_key') return 'must be a region such as eu-central-1';
  if (issue.code === 'too_small') return 'must not be negative';
  return issue.code === 'invalid_type' && issue.message !== DAY
    ? `must be ${TYPES[issue.expected] ?? issue.expected}`
    : issue.message;
};

/** `regions.eu-central-1.instances["t3.large"]`: keys with a dot are quoted. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    const name = String(key);
    return name.includes('.') ? `${text}["${name}"]` : `${text}${text === '' ? '' : '.'}${name}`;
  }, '') || 'the file';

/**
 * The prices in a YAML or JSON text. Throws an Error that names each invalid field and describes valid values. Prices
 * are in USD: per hour, per month for volumes, and per unit for services.
 */
export const readPriceFile = (text: string): PriceList => {
  const { data, error } = priceFile.safeParse(readYaml(text));
  if (data) return { name: 'your prices', ...data };
  throw new Error((error?.issues ?? []).map((issue) => `${pathOf(issue.path)} ${sentence(issue)}`).join('; '));
};
