import type { Context } from './context.ts';

const COUNT = /^(count\/[a-z0-9]+(\.[a-z0-9.-]+)?|configmaps|secrets|resourcequotas)$/;

/** `count/<resource>.<group>=<number>,…`: the limits of each new namespace; empty for no limits. */
export const readNamespaceQuota = (context: Context): string => {
  const pairs = context.list('namespaceQuota');
  for (const pair of pairs) {
    const [name = '', ...rest] = pair.split('=');
    if (!COUNT.test(name) || rest.length !== 1 || !/^\d{1,9}$/.test(rest[0] ?? ''))
      context.report(
        'namespaceQuota',
        `"${pair}" is not of the form count/<resource>.<group>=<number>, such as count/clusters.cluster.x-k8s.io=5`,
      );
  }
  return pairs.join(',');
};
