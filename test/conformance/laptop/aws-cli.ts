/**
 * Runs the AWS CLI in the simulated account of a laptop, with the environment that users get from `source
 * .windlass/env`.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestLaptop } from '../../end-to-end/laptop.ts';

/** The environment for a program that uses the account. */
export const accountOf = ({ access }: TestLaptop): NodeJS.ProcessEnv => ({
  ...process.env,
  AWS_ENDPOINT_URL: access.awsUrl,
  AWS_REGION: access.region,
  AWS_DEFAULT_REGION: access.region,
  AWS_ACCESS_KEY_ID: access.credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: access.credentials.secretAccessKey,
  AWS_PAGER: '',
});

const run = promisify(execFile);

/** Returns the AWS CLI's output; undefined if there is none. Rejects with its message if the call fails. */
export const aws = async <T = unknown>(laptop: TestLaptop, ...args: string[]): Promise<T> => {
  const { stdout } = await run('aws', [...args, '--output', 'json'], { env: accountOf(laptop) });
  return (stdout ? JSON.parse(stdout) : undefined) as T;
};
