import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { sourceFile } from '../../source-file.ts';
import { throughProxy } from '../api/proxy.ts';
import { COMMAND, IS_CHECKOUT, PATHS, ROOT } from '../paths.ts';
import { type CdkArguments, readCdkArguments, stackNameOf } from './cdk-arguments.ts';
import { forgottenSettings, type KeptClients } from './kept-settings.ts';

const contextInFile = (): Readonly<Record<string, unknown>> =>
  (JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')) as { context?: Record<string, unknown> }).context ?? {};

/** The stack name in CDK arguments and cdk.json. Throws the errors of `stackNameOf`. */
export const stackNameIn = (args: readonly string[]): string => stackNameOf(args, contextInFile().name);

/** The account and region that the CDK uses with these arguments, and the proxy, for AWS clients. */
export const placeOf = ({
  profile,
  region = process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION,
}: CdkArguments) => ({
  ...(profile === undefined ? {} : { profile }),
  ...(region === undefined ? {} : { region }),
  ...throughProxy(),
});

const nextSteps = (stack: string): string => `
Next:
  ${COMMAND} kubeconfig --stack ${stack} > windlass.kubeconfig
  kubectl --kubeconfig windlass.kubeconfig get clusters -A
docs/deploy.md has the details.
`;

/** Runs a command of the project's own CDK and passes the arguments on unchanged. Resolves to its exit code. */
export const runCdk = (command: string, args: readonly string[]): Promise<number> => {
  const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');
  // The app is started as `node`, which must be the version that runs this.
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  // Not in the directory of `npm start`, which has other settings.
  const output = ['--output', join(PATHS.state, 'cdk.out')];
  const child = spawn(
    process.execPath,
    [cdk, command, ...output, '--app', `node ${sourceFile('infra/app')}`, ...args],
    {
      cwd: ROOT,
      env: { ...process.env, PATH: path },
      stdio: 'inherit',
    },
  );
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
};

const refusal = (stack: string, forgotten: readonly string[]): string => {
  const settings = forgotten.map((setting) => `-c ${setting}`).join(' ');
  return `
The stack ${stack} uses what is not its own, and these settings are missing: ${settings}
Without them it would get a new table without any object, or a new key that opens none of its Secrets.
Add them to the arguments or to cdk.json. To start with new ones anyway, give the settings without a value, such as -c tableName=
`;
};

const warning = (stack: string, why: string): string =>
  `It could not be checked whether the stack ${stack} uses a table or a key that is not its own, which the settings must name: ${why}\n`;

/** Settings that were arguments, which the CDK does not store. */
const reminder = (keys: readonly string[]): string => {
  const keep = IS_CHECKOUT ? 'add them to context in cdk.json, or repeat them' : 'repeat them';
  return `
Given as arguments, these settings apply to this deployment only: ${[...new Set(keys)].join(', ')}
The next deployment uses their defaults again. To keep them, ${keep}.
`;
};

const makeClients = (place: ReturnType<typeof placeOf>): KeptClients => ({
  lambda: new LambdaClient(place),
  cloudFormation: new CloudFormationClient(place),
});

/**
 * Runs `cdk deploy`, and prints the next steps and which settings the next deployment forgets. Refuses if settings are
 * missing without which the stack would lose its objects. Resolves to the exit code.
 */
export const deploy = async (
  args: readonly string[],
  { run = runCdk, connect = makeClients }: { run?: typeof runCdk; connect?: typeof makeClients } = {},
): Promise<number> => {
  const read = readCdkArguments(args);
  if (read.help) return run('deploy', args);
  const stack = stackNameIn(args);
  const given = new Set([...read.keys, ...Object.keys(contextInFile())]);
  const { settings, unchecked } = await forgottenSettings(connect(placeOf(read)), stack, (one) => given.has(one));
  if (unchecked !== undefined) process.stderr.write(warning(stack, unchecked));
  if (settings.length > 0) {
    process.stderr.write(refusal(stack, settings));
    return 1;
  }
  const code = await run('deploy', args);
  if (code !== 0) return code;
  process.stdout.write(nextSteps(stack));
  if (read.keys.length > 0) process.stderr.write(reminder(read.keys));
  return code;
};
