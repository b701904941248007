import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { ROOT } from '../paths.ts';

const CONTEXT_NAME = /^name=(.*)$/;

/** The name of the stack that arguments of the CDK mean, beside what cdk.json says. */
export const stackNameOf = (args: readonly string[], inFile?: unknown): string => {
  const given = args.flatMap((argument, index) => {
    const value = ['-c', '--context'].includes(args[index - 1] ?? '') ? argument : argument.replace(/^--context=/, '');
    return CONTEXT_NAME.exec(value)?.[1] ?? [];
  });
  const name = given.at(-1) ?? inFile;
  return name ? `Windlass-${name}` : 'Windlass';
};

const nextSteps = (args: readonly string[]): string => {
  const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')) as { context?: { name?: unknown } };
  return `
Next:
  npm run --silent windlass -- kubeconfig --stack ${stackNameOf(args, context?.name)} > windlass.kubeconfig
  kubectl --kubeconfig windlass.kubeconfig get clusters -A
docs/deploy.md tells the rest.
`;
};

/**
 * Runs `cdk deploy` of the CDK that the project brings, with further arguments passed on as they are, and says what to
 * do next. Resolves to its exit code.
 */
export const deploy = (args: readonly string[]): Promise<number> => {
  const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');
  // The app is `node infra/app.ts` (cdk.json) and needs the project's own Node.
  const path = [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const child = spawn(process.execPath, [cdk, 'deploy', ...args], {
    cwd: ROOT,
    env: { ...process.env, PATH: path },
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) process.stdout.write(nextSteps(args));
      resolve(code ?? 1);
    });
  });
};
