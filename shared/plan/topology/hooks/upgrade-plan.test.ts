import { describe, expect, it } from 'vitest';
import type { ClusterClass } from '../../../kinds/cluster-class/schema.ts';
import { blueprintOf } from '../desired/test-blueprint.ts';
import { TopologyError } from '../error.ts';
import { planUpgrade } from '../upgrade/plan.ts';
import { AnswerNeeded, type HandlerAnswer, NOTHING_KNOWN } from './knowledge.ts';
import { HookSession } from './session.ts';
import { upgradePlanner } from './upgrade-plan.ts';

const DESIRED = 'v1.35.0';
const { cluster, clusterClass } = blueprintOf();

const naming: ClusterClass = {
  ...clusterClass,
  spec: { ...clusterClass.spec, upgrade: { external: { generateUpgradePlanExtension: 'plan.policy' } } },
};

const steps = (...versions: string[]) => versions.map((version) => ({ version }));

const planned = (answer: HandlerAnswer | undefined, workers: string[] = ['v1.32.0']) => {
  const handlers = new Map(answer ? [['GenerateUpgradePlan', answer]] : []);
  const session = new HookSession(cluster, { ...NOTHING_KNOWN, handlers }, new Date(0));
  const { controlPlane, workers: of } = planUpgrade({
    desired: DESIRED,
    controlPlane: 'v1.33.0',
    workers,
    classVersions: ['v1.33.0', 'v1.34.5', DESIRED],
    askExtension: upgradePlanner(naming, session, DESIRED),
  });
  return { controlPlane, workers: of };
};

const given = (controlPlane: string[], workers: string[] = []): HandlerAnswer => ({
  response: { controlPlaneUpgrades: steps(...controlPlane), workersUpgrades: steps(...workers) },
});

describe('an upgrade plan by an extension', () => {
  it('is requested for the current and the desired versions', () => {
    try {
      planned(undefined);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(AnswerNeeded);
      expect((error as AnswerNeeded).question).toMatchObject({
        handler: 'plan.policy',
        body: {
          fromControlPlaneKubernetesVersion: 'v1.33.0',
          fromWorkersKubernetesVersion: 'v1.32.0',
          toKubernetesVersion: DESIRED,
        },
      });
    }
  });

  it('takes precedence over the versions of the class, and may leave the workers to Windlass', () => {
    expect(planned(given(['v1.34.1', DESIRED]))).toEqual({ controlPlane: ['v1.34.1', DESIRED], workers: [DESIRED] });
    expect(planned(given(['v1.34.1', DESIRED], ['v1.34.1', DESIRED])).workers).toEqual(['v1.34.1', DESIRED]);
  });

  it.each([
    [given(['v1.34.1']), 'control plane upgrade plan must end with version v1.35.0, ends with v1.34.1 instead'],
    [given([DESIRED]), 'expecting a version with minor 33 or 34, found version v1.35.0'],
    [
      given(['v1.34.1', DESIRED], ['v1.34.9', DESIRED]),
      "invalid workers upgrade plan: versions v1.34.9 doesn't match any versions in the control plane upgrade plan nor the control plane version",
    ],
    [
      given(['v1.34.1', DESIRED], ['v1.34.1', 'v1.33.0', DESIRED]),
      'invalid workers upgrade plan, item 1; version v1.33.0 must be greater than v1.34.1',
    ],
    [
      given(['v1.34.1', DESIRED], ['v1.34.1']),
      'invalid workers upgrade plan; workers upgrade plan must end with version v1.35.0, ends with v1.34.1 instead',
    ],
    [{ error: 'no route' }, 'failed to get upgrade plan from extension: no route'],
    [
      { response: { controlPlaneUpgrades: 'v1' } },
      'failed to get upgrade plan from extension: failed to decode response',
    ],
  ])('is refused if it is invalid: %#', (answer, why) => {
    expect(() => planned(answer as HandlerAnswer)).toThrow(why);
  });

  it('does not let workers fall too far behind', () => {
    expect(() => planned(given(['v1.34.1', DESIRED], [DESIRED]), ['v1.31.0'])).toThrow(
      'invalid workers upgrade plan, item 0; workers cannot go from minor 31 (v1.31.0) to minor 35 (v1.35.0), an intermediate step is required to comply with Kubernetes version skew rules',
    );
  });

  it('must consist of versions, also when only the workers are left', () => {
    const answer = given([], ['latest']);
    const session = new HookSession(
      cluster,
      { ...NOTHING_KNOWN, handlers: new Map([['GenerateUpgradePlan', answer]]) },
      new Date(0),
    );
    const askExtension = upgradePlanner(naming, session, DESIRED);
    const versions = { desired: DESIRED, controlPlane: DESIRED, workers: ['v1.34.0'], classVersions: undefined };
    expect(() => planUpgrade({ ...versions, askExtension })).toThrow(
      new TopologyError('failed to parse workers version latest'),
    );
  });

  it('must not contain steps for workers that have the version already', () => {
    expect(() => planned(given(['v1.34.1', DESIRED], [DESIRED]), [])).toThrow(
      'invalid worker upgrade plan; there are no workers or workers already at the desired version',
    );
  });
});
