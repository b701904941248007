import { createHash } from 'node:crypto';

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
};

/** Two requests with the same fingerprint are equal, regardless of their client tokens. */
export const fingerprintOf = ({
  ClientToken: _token,
  DryRun: _dryRun,
  ...rest
}: {
  ClientToken?: string;
  DryRun?: boolean;
}): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(rest)))
    .digest('hex');
