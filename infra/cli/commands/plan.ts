import { existsSync } from 'node:fs';
import { systemClock } from '../../../shared/clock.ts';
import { readContext } from '../api/kubeconfig-client.ts';
import { readManifests } from '../apply/manifest.ts';
import { PATHS } from '../paths.ts';
import { planManifests } from '../plan/plan.ts';
import { planText } from '../plan/print.ts';

export interface PlanOptions {
  filename: readonly string[];
  kubeconfig?: string;
  output: string;
  detailedExitcode: boolean;
}

/** What ends a plan: nothing wrong, something refused, or with --detailed-exitcode something to do. */
const EXIT = { fine: 0, refused: 1, changes: 2 } as const;

/** Prints what applying the files would bring about. Objects that are refused make it end with 1. */
export const plan = async ({ filename, kubeconfig, output, detailedExitcode }: PlanOptions): Promise<number> => {
  const file = kubeconfig ?? PATHS.kubeconfig;
  if (!existsSync(file)) {
    throw new Error(`there is no ${file}: run npm start first, or name another file with --kubeconfig`);
  }
  const manifests = filename.flatMap(readManifests);
  const found = await planManifests(readContext(file), manifests, systemClock);
  process.stdout.write(output === 'json' ? `${JSON.stringify(found, null, 2)}\n` : planText(found));
  if (found.refused.length > 0) return EXIT.refused;
  const isChange = found.objects.some(({ outcome }) => outcome !== 'unchanged');
  return detailedExitcode && isChange ? EXIT.changes : EXIT.fine;
};
