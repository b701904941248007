import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { sourceFile } from '../../source-file.ts';
import { COMMAND, PATHS, ROOT } from '../paths.ts';
import { readCdkArguments, stackNameOf } from './cdk-arguments.ts';

/** The name of the stack that arguments of the CDK and cdk.json mean. Throws as `stackNameOf` does. */
export const stackNameIn = (args: readonly string[]): string => {
  const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')) as { context?: { name?: unknown } };
  return stackNameOf(args, context?.name);
};

const nextSteps = (stack: string): string => `
Next:
  ${COMMAND} kubeconfig --stack ${stack} > windlass.kubeconfig
  kubectl --kubeconfig windlass.kubeconfig get clusters -A
docs/deploy.md has the details.
`;

/** Runs a command of the CDK that the project brings, with arguments passed on as they are. Resolves to its exit code. */
export const runCdk = (command: string, args: readonly string[]): Promise<number> => {
  const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');
  // The app is started as `node`: that must be the one that runs this.
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  // Not where `npm start` keeps what it runs: these are other settings.
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

/** Runs `cdk deploy`, and says what to do next. Resolves to its exit code. */
export const deploy = async (args: readonly string[]): Promise<number> => {
  if (readCdkArguments(args).help) return runCdk('deploy', args);
  const stack = stackNameIn(args);
  const code = await runCdk('deploy', args);
  if (code === 0) process.stdout.write(nextSteps(stack));
  return code;
};
