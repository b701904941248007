import { systemClock } from '../../../shared/clock.ts';
import { accountFacts } from '../api/account-facts.ts';
import { type ContextOptions, openInstallation } from '../api/kubeconfig-client.ts';
import { readManifests } from '../apply/manifest.ts';
import { planManifests } from '../plan/plan.ts';
import { planText } from '../plan/print.ts';
import { readPrices } from '../prices.ts';

export interface PlanOptions extends ContextOptions {
  filename: readonly string[];
  output: string;
  detailedExitcode: boolean;
  /** Whether to check that the account has what new clusters need. */
  preflight: boolean;
  /** A file of prices. */
  prices?: string;
}

/** Exit codes of a plan: no problem, something refused, or with --detailed-exitcode something to do. */
const EXIT = { fine: 0, refused: 1, changes: 2 } as const;

/**
 * Prints what applying the files would do. The exit code is 1 if objects are refused, or if the account lacks what a
 * new cluster needs.
 */
export const plan = async ({
  filename,
  output,
  detailedExitcode,
  preflight,
  prices: priceFile,
  ...connection
}: PlanOptions): Promise<number> => {
  const prices = readPrices(priceFile);
  const installation = openInstallation(connection);
  const factsOf = preflight ? (region?: string) => accountFacts(installation.aws, region) : undefined;
  const manifests = filename.flatMap(readManifests);
  const found = await planManifests(installation, manifests, systemClock, factsOf, prices);
  process.stdout.write(output === 'json' ? `${JSON.stringify(found, null, 2)}\n` : planText(found));
  const isLacking = found.preflight.some(({ missing }) => missing.length > 0);
  if (found.refused.length > 0 || isLacking) return EXIT.refused;
  const isChange = found.objects.some(({ outcome }) => outcome !== 'unchanged');
  return detailedExitcode && isChange ? EXIT.changes : EXIT.fine;
};
