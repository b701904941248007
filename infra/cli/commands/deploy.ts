import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { ROOT } from '../paths.ts';

/**
 * Runs `cdk deploy` of the CDK that the project brings, with further arguments passed on as they are. Resolves to its
 * exit code.
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
    child.on('close', (code) => resolve(code ?? 1));
  });
};
