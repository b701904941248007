import { systemClock } from '../../../shared/clock.ts';
import { type ContextOptions, openContext } from '../api/kubeconfig-client.ts';
import { readManifests } from '../apply/manifest.ts';
import { planManifests } from '../plan/plan.ts';
import { planText } from '../plan/print.ts';

export interface PlanOptions extends ContextOptions {
  filename: readonly string[];
  output: string;
  detailedExitcode: boolean;
}

/** What ends a plan: nothing wrong, something refused, or with --detailed-exitcode something to do. */
const EXIT = { fine: 0, refused: 1, changes: 2 } as const;

/** Prints what applying the files would bring about. Objects that are refused make it end with 1. */
export const plan = async ({ filename, output, detailedExitcode, ...connection }: PlanOptions): Promise<number> => {
  const context = openContext(connection);
  const manifests = filename.flatMap(readManifests);
  const found = await planManifests(context, manifests, systemClock);
  process.stdout.write(output === 'json' ? `${JSON.stringify(found, null, 2)}\n` : planText(found));
  if (found.refused.length > 0) return EXIT.refused;
  const isChange = found.objects.some(({ outcome }) => outcome !== 'unchanged');
  return detailedExitcode && isChange ? EXIT.changes : EXIT.fine;
};
