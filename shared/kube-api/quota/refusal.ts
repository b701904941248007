import type { ResourceId } from '../object.ts';
import { forbidden, StatusError } from '../status-error.ts';
import type { Limit } from './limits.ts';

const PREFIX = 'exceeded quota: ';

const listed = (limits: readonly Limit[], value: (limit: Limit) => number): string =>
  limits.map((limit) => `${limit.name}=${value(limit)}`).join(',');

/** The error for one object too many, with upstream's message, for the first exceeded quota. */
export const overQuota = (resource: ResourceId, name: string, limits: readonly Limit[], used: number): StatusError => {
  const [first] = limits.filter(({ hard }) => hard <= used);
  const of = limits.filter(({ quota, hard }) => quota === first?.quota && hard <= used);
  const parts = [
    `${PREFIX}${first?.quota}`,
    `requested: ${listed(of, () => 1)}`,
    `used: ${listed(of, () => used)}`,
    `limited: ${listed(of, ({ hard }) => hard)}`,
  ];
  return forbidden(resource, name, parts.join(', '));
};

/** The reason without the object that was rejected. */
export const quotaReason = ({ message }: StatusError): string => message.slice(message.indexOf(PREFIX));

/**
 * Reports whether an error is due to an exceeded quota, which only a user can resolve: by raising the quota or deleting
 * objects.
 */
export const isOverQuota = (error: unknown): error is StatusError =>
  error instanceof StatusError && error.code === 403 && error.message.includes(` is forbidden: ${PREFIX}`);
