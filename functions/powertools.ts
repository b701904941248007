/** Logs and metrics through AWS Lambda Powertools; the rest of the code uses only Log and Metrics. */
import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { MetricUnit, Metrics as PowertoolsMetrics } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import type middy from '@middy/core';
import type { Log, LogKeys } from '../shared/log.ts';
import { METRICS, type Metrics } from '../shared/metrics.ts';

/** Middleware for any handler: it uses neither the event nor the result. */
// biome-ignore lint/suspicious/noExplicitAny: middy's middlewares are invariant in event and answer.
export type AnyMiddleware = middy.MiddlewareObj<any, any, any, any>;

export interface Observability {
  log: Log;
  metrics: Metrics;
  /** For every handler that measures something: they name the invocation in the log, and write the metrics. */
  middlewares: readonly AnyMiddleware[];
}

const logOf = (logger: Logger, bound: LogKeys = {}): Log => ({
  info: (sentence, keys) => logger.info(sentence, { ...bound, ...keys }),
  warn: (sentence, keys) => logger.warn(sentence, { ...bound, ...keys }),
  error: (sentence, keys) => logger.error(sentence, { ...bound, ...keys }),
  with: (keys) => logOf(logger, { ...bound, ...keys }),
});

/** A metric with dimensions gets its own line, because a line has only one set of dimensions. */
const metricsOf = (measured: PowertoolsMetrics): Metrics => ({
  add: (name, value, dimensions) => {
    const unit = MetricUnit[METRICS[name]];
    if (dimensions === undefined) {
      measured.addMetric(name, unit, value);
      return;
    }
    const single = measured.singleMetric();
    for (const [key, text] of Object.entries(dimensions)) single.addDimension(key, text);
    single.addMetric(name, unit, value);
  },
});

/** The log alone, for handlers without metrics. Its settings are in the environment (`POWERTOOLS_…`). */
export const powertoolsLog = (): Log => logOf(new Logger());

export const powertools = (): Observability => {
  const logger = new Logger();
  const measured = new PowertoolsMetrics();
  return {
    log: logOf(logger),
    metrics: metricsOf(measured),
    middlewares: [injectLambdaContext(logger), logMetrics(measured)],
  };
};
