/**
 * The address to which the API servers of workload clusters report changes. Anyone on the internet can reach it: no
 * authorizer knows these servers, so the function checks their tokens itself. It can start passes and read Clusters,
 * but cannot open Secrets.
 */
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import { createDynamoDbClient } from '../../shared/aws/clients/dynamodb.ts';
import { createSfnClient } from '../../shared/aws/clients/sfn.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { readConfig } from '../../shared/config.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { createReporterStore } from '../../shared/store/limits/reporters.ts';
import { createDynamoStorage } from '../../shared/store/objects/dynamo-storage.ts';
import { clusterLeases } from '../../shared/store/work/cluster-leases.ts';
import { createExecutions, createTouch } from '../../shared/store/work/executions.ts';
import type { ProxyAnswer, ProxyEvent } from '../api/gateway/proxy-event.ts';
import { NO_SEALER } from '../no-sealer.ts';
import { quoteNothing } from '../observed.ts';
import { powertoolsLog } from '../powertools.ts';
import { answerOf, reportOf } from './proxy.ts';
import { makeReport } from './report.ts';
import { makeWantsReports } from './wants-reports.ts';

const { table, convergeCluster: convergeArn } = readConfig(process.env, ['table', 'convergeCluster']);
const client = createDynamoDbClient();
const executions = createExecutions({ sfn: createSfnClient(), convergeArn });
const report = makeReport({
  reporters: createReporterStore({ client, table }),
  wantsReports: makeWantsReports(createDynamoStorage({ client, table, clock, random, sealer: NO_SEALER })),
  touch: createTouch({ work: clusterLeases({ client, table, clock }), executions }),
  clock,
  log: powertoolsLog(),
});

export const handler = middy<ProxyEvent, ProxyAnswer>({ executionMode: executionModeStreamifyResponse })
  .use(quoteNothing)
  .handler(async (event) => answerOf(await report(reportOf(event))));
