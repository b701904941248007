/**
 * The credential plugin in the laptop's kubeconfig: it prints an ExecCredential. It does what `aws eks get-token` does
 * on AWS, but does not need the AWS CLI. Protocol: client.authentication.k8s.io/v1.
 */
import { makeToken } from './kubeconfig/token.ts';

const [clusterId = '', region = ''] = process.argv.slice(2);
const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN } = process.env;

if (!clusterId || !region || !AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
  process.stderr.write(
    'usage: exec-token.ts CLUSTER_ID REGION, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment\n',
  );
  process.exit(1);
}

const credentials = {
  accessKeyId: AWS_ACCESS_KEY_ID,
  secretAccessKey: AWS_SECRET_ACCESS_KEY,
  sessionToken: AWS_SESSION_TOKEN,
};
const { token, expiresAt } = await makeToken({ clusterId, region, credentials }, new Date());
const status = { token, expirationTimestamp: expiresAt.toISOString().replace(/\.\d+Z$/, 'Z') };
process.stdout.write(
  `${JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', spec: { interactive: false }, status })}\n`,
);
