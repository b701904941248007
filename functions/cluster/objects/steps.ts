import type { StepTable } from '../../step.ts';
import { begin } from './begin.ts';
import { certificates } from './certificates.ts';
import { controlPlane } from './control-plane.ts';
import type { ObjectsDependencies } from './dependencies.ts';
import { fail, finish, requeue } from './finish.ts';
import { launch } from './launch.ts';
import { report } from './report.ts';
import { teardown } from './teardown.ts';
import { workers } from './workers.ts';

/** The steps of a pass that touch objects only. */
export const makeObjectsSteps = (deps: ObjectsDependencies): StepTable<'cluster-objects'> => ({
  begin: begin(deps),
  certificates: certificates(deps),
  controlPlane: controlPlane(deps),
  workers: workers(deps),
  launch: launch(deps),
  teardown: teardown(deps),
  report: report(deps),
  finish: finish(deps),
  requeue: requeue(deps),
  fail: fail(deps),
});
