import { safeReason } from '../../../shared/safe-reason.ts';
import type { ConvergeInput, ReadyResult } from '../../../shared/work/payloads.ts';
import type { StepTable } from '../../step.ts';
import { workApart } from '../apart.ts';
import type { RancherDependencies } from '../rancher/dependencies.ts';
import { isRancher } from '../rancher/owner.ts';
import { rancherSteps } from '../rancher/steps.ts';
import { begin } from './begin.ts';
import { controlPlane } from './control-plane/control-plane.ts';
import { isChangePlanned } from './control-plane/planned-change.ts';
import { continueDeletions, continueDeletionsAfterFailure } from './deletion/leaving.ts';
import { teardown } from './deletion/teardown.ts';
import { fail, finish, requeue } from './finish/finish.ts';
import { certificates } from './key-material/certificates.ts';
import { launch } from './machines/launch.ts';
import { awaitOutside } from './references/outside.ts';
import { report } from './report.ts';
import { workers } from './workers/workers.ts';

type Part = (input: ConvergeInput) => Promise<unknown>;

/**
 * The steps of a pass that only use objects. Steps without a decision of the workflow in between share one state,
 * because states cost money.
 */
export const makeObjectsSteps = (deps: RancherDependencies): StepTable<'cluster-objects'> => {
  const parts = {
    controlPlane: controlPlane(deps),
    workers: workers(deps),
    launch: launch(deps),
    report: report(deps),
    finish: finish(deps),
  };
  const failed = fail(deps);
  const finishWhileUnready = finish(deps, continueDeletions(deps));
  const removals = continueDeletionsAfterFailure(deps);
  const ofRancher = rancherSteps(deps);
  const prepared = (make: (input: ConvergeInput) => Promise<ReadyResult>) => async (input: ConvergeInput) => {
    const { ready } = await make(input);
    return { ready, changes: ready && (await isChangePlanned(deps, input.cluster)) };
  };
  const preparedCertificates = prepared(certificates(deps));
  const ofClusters: StepTable<'cluster-objects'> = {
    ...parts,
    begin: begin(deps),
    certificates: preparedCertificates,
    certificatesWhileUnready: preparedCertificates,
    outside: prepared(awaitOutside(deps)),
    machines: async (input) => {
      const { each, rethrow } = workApart();
      await each<Part, unknown>([parts.controlPlane, parts.workers, parts.launch], (part) => part(input), 1);
      rethrow();
    },
    teardown: teardown(deps),
    conclude: async (input) => {
      await parts.report(input);
      return parts.finish(input);
    },
    concludeWhileUnready: async (input) => {
      await parts.report(input);
      return finishWhileUnready(input);
    },
    concludeAfterFailure: async (input) => {
      await parts.report(input);
      return failed(input);
    },
    requeue: requeue(deps),
    fail: async (input, { log }) => {
      // If this fails as well, the next pass tries again; the failure of this one must be reported in any case.
      await removals(input).catch((error: unknown) =>
        log.warn('deletions could not be continued', { reason: safeReason(error) }),
      );
      return failed(input);
    },
  };
  return {
    ...ofClusters,
    begin: (input, context) => (isRancher(input.cluster) ? ofRancher.begin(input) : ofClusters.begin(input, context)),
    conclude: (input, context) =>
      isRancher(input.cluster) ? ofRancher.conclude(input) : ofClusters.conclude(input, context),
    requeue: (input, context) =>
      isRancher(input.cluster) ? ofRancher.requeue(input) : ofClusters.requeue(input, context),
    fail: (input, context) => (isRancher(input.cluster) ? ofRancher.fail(input) : ofClusters.fail(input, context)),
  };
};
