/** Tells API Gateway who the caller is: the token of `aws eks get-token`, verified by STS. */
import { systemClock } from '../../shared/clock.ts';
import { ENV, readConfig } from '../../shared/config.ts';
import { powertoolsLog } from '../powertools.ts';
import { makeAskSts } from './ask-sts.ts';
import { makeAuthorize } from './authorize.ts';
import { makeGroupsOf } from './principals.ts';
import { stsHosts } from './sts-hosts.ts';
import { makeVerify } from './verify.ts';

const { AWS_REGION = '', AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL } = process.env;
const config = {
  ...readConfig(process.env, ['adminPrincipals', 'trustedAccounts', 'clusterId']),
  // The setting may be empty.
  editorPrincipals: process.env[ENV.editorPrincipals],
  viewerPrincipals: process.env[ENV.viewerPrincipals],
};

export const handler = makeAuthorize({
  verify: makeVerify({
    clusterId: config.clusterId,
    hosts: stsHosts(AWS_REGION),
    askSts: makeAskSts(AWS_ENDPOINT_URL_STS ?? AWS_ENDPOINT_URL, systemClock),
    clock: systemClock,
  }),
  groupsOf: makeGroupsOf(config),
  log: powertoolsLog(),
});
