import type { HealthCheck } from '../target-groups/model.ts';

type Target = Pick<HealthCheck, 'protocol' | 'port' | 'path'>;

/** A classic load balancer's health check: `HTTPS:6443/readyz`, `TCP:6443`. */
export const toClassicTarget = ({ protocol, port, path = '' }: Target): string => `${protocol}:${port}${path}`;

export const fromClassicTarget = (target: string): Target => {
  const [, protocol = '', port = '', path] = /^(\w+):(\d+)(\/.*)?$/.exec(target) ?? [];
  return { protocol, port, ...(path ? { path } : {}) };
};
