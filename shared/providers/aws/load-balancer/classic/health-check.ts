import type { HealthCheck } from '../target-groups/model.ts';

type Target = Pick<HealthCheck, 'protocol' | 'port' | 'path'>;

/** What a classic load balancer asks of an instance: `HTTPS:6443/readyz`, `TCP:6443`. */
export const toClassicTarget = ({ protocol, port, path = '' }: Target): string => `${protocol}:${port}${path}`;

export const fromClassicTarget = (target: string): Target => {
  const [, protocol = '', port = '', path] = /^(\w+):(\d+)(\/.*)?$/.exec(target) ?? [];
  return { protocol, port, ...(path ? { path } : {}) };
};
