import { AnyPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Context } from './context.ts';

const RANGE = {
  pattern: /^((25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(25[0-5]|2[0-4]\d|1?\d?\d)\/(3[0-2]|[12]?\d)$/,
  is: 'a range of IPv4 addresses, such as 203.0.113.0/24',
};

/** The address ranges of callers, from `apiSourceRanges` in the context; empty for all. */
export const readApiSourceRanges = (context: Context): string[] => context.list('apiSourceRanges', RANGE);

const invoking = (resource: string, conditions?: Record<string, unknown>): PolicyStatement =>
  new PolicyStatement({
    principals: [new AnyPrincipal()],
    actions: ['execute-api:Invoke'],
    resources: [resource],
    ...(conditions ? { conditions } : {}),
  });

/**
 * Admits only callers from `ranges`; API Gateway refuses all others with 403 before the authorizer runs. `open` is the
 * path that everyone may call, as `<method>/<path>`: API servers of clusters report changes from addresses that are not
 * known beforehand. API Gateway completes the resources with its own ARN. Undefined if there is no policy.
 */
export const apiPolicy = (ranges: readonly string[], open: string): PolicyDocument | undefined =>
  ranges.length === 0
    ? undefined
    : new PolicyDocument({
        statements: [
          invoking('execute-api:/*', { IpAddress: { 'aws:SourceIp': [...ranges] } }),
          invoking(`execute-api:/*/${open}`),
        ],
      });
