import { readFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { type ContextOptions, openInstallation } from '../api/kubeconfig-client.ts';
import { columns } from '../describe/table.ts';
import { apiChecks } from '../doctor/api-checks.ts';
import { awsChecks } from '../doctor/aws-checks.ts';
import { type Check, examine, type Finding } from '../doctor/check.ts';
import { ROOT } from '../paths.ts';
import { paint } from '../progress/paint.ts';

export interface DoctorOptions extends ContextOptions {
  stack: string;
  output: string;
}

const SIGNS = { ok: ['done', '✔'], warning: ['busy', '!'], failed: ['failed', '✘'] } as const;

const programCheck: Check = {
  name: 'Windlass',
  look: async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    return { status: 'ok', detail: `${version} on Node.js ${process.version}, ${platform()} ${arch()}` };
  },
};

const findingsText = (findings: readonly Finding[]): string => {
  const lines = columns(
    findings.map(({ name, detail }) => [name, detail]),
    { header: 0 },
  );
  return findings
    .map(({ status }, index) => {
      const [style, sign] = SIGNS[status];
      return `${paint(style, sign)} ${lines[index]}\n`;
    })
    .join('');
};

/**
 * Checks everything that an installation needs, and prints the data for a support case, without secrets. Resolves to 1
 * if something failed.
 */
export const doctor = async ({ stack, output, ...context }: DoctorOptions): Promise<number> => {
  const installation = openInstallation(context);
  const findings = await examine([programCheck, ...apiChecks(installation), ...awsChecks(installation, stack)]);
  process.stdout.write(output === 'json' ? `${JSON.stringify(findings, null, 2)}\n` : findingsText(findings));
  return findings.some(({ status }) => status === 'failed') ? 1 : 0;
};
