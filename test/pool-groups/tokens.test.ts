import { DeleteLaunchTemplateCommand, DescribeLaunchTemplatesCommand } from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePoolGroupSteps } from '../../functions/providers/aws/machine-pool/steps.ts';
import { type AWSMachinePool, kinds } from '../../shared/kinds/index.ts';
import { silentLog } from '../../shared/log.ts';
import type { DesiredTemplate } from '../../shared/providers/aws/machine-pool/model.ts';
import { recordedTemplate, withTemplate } from '../../shared/providers/aws/machine-pool/record.ts';
import type { LaunchTemplates } from '../../shared/providers/aws/machine-pool/template-api.ts';
import { KEY, type PoolWorld, startPoolWorld } from './world.ts';

let world: PoolWorld;

beforeEach(async () => {
  world = await startPoolWorld();
});
afterEach(() => world.close());

type Change = (templates: LaunchTemplates) => Partial<LaunchTemplates>;

/** One check, or one step of the removal, in which some of the calls about launch templates are replaced. */
const stepWith = (step: 'reconcilePool' | 'removePool', change: Change) => {
  const ports = world.dependencies.pools({} as never);
  const templates = { ...ports.templates, ...change(ports.templates) };
  const steps = makePoolGroupSteps({ ...world.dependencies, pools: () => ({ ...ports, templates }) });
  return steps[step]({ ...world.input, since: world.aws.clock.now().toISOString() }, { log: silentLog });
};

const lookWith = (change: Change) => stepWith('reconcilePool', change);

const LOST = new Error('the process has died');

const numbers = async () => (await world.versions()).map(({ VersionNumber }) => VersionNumber).sort();
const templates = async () => (await world.ec2.send(new DescribeLaunchTemplatesCommand({}))).LaunchTemplates ?? [];

describe('a launch template', () => {
  it('is created once if the response is lost and reads do not show it yet', async () => {
    const loses = lookWith(({ create }) => ({
      create: async (...all) => {
        await create(...all);
        throw LOST;
      },
    }));
    await expect(loses).rejects.toThrow(LOST);
    const [before] = await templates();
    await lookWith(() => ({ describe: async () => [] }));
    expect((await templates()).map(({ LaunchTemplateId }) => LaunchTemplateId)).toEqual([before?.LaunchTemplateId]);
    expect((await world.infrastructure()).status?.launchTemplateID).toBe(before?.LaunchTemplateId);
  });

  it('is deleted with its pool even if EC2 does not show it yet', async () => {
    await lookWith(() => ({}));
    expect(await templates()).toHaveLength(1);
    await world.deletePool();
    const early = await stepWith('removePool', () => ({ describe: async () => [] }));
    expect(early).toMatchObject({ progress: 'wait' });
    expect(await world.remove()).toMatchObject({ progress: 'done' });
    expect(await templates()).toEqual([]);
  });

  it('is deleted with its pool even if EC2 creates it late, and its creation has had no answer', async () => {
    let createLate = async (): Promise<unknown> => undefined;
    const loses = lookWith(({ create }) => ({
      create: async (...all) => {
        createLate = () => create(...all);
        throw LOST;
      },
    }));
    await expect(loses).rejects.toThrow(LOST);
    await world.deletePool();
    expect(await stepWith('removePool', () => ({}))).toMatchObject({ progress: 'wait' });
    await world.pass(200);
    await createLate();
    expect(await world.remove()).toMatchObject({ progress: 'done' });
    expect(await templates()).toEqual([]);
  });

  it('is not awaited by the removal of its pool if EC2 has refused it, or if it is deleted already', async () => {
    const refusal = { code: 'InvalidParameterValue', message: 'no' };
    world.aws.account.failNext('ec2', 'CreateLaunchTemplate', refusal);
    await lookWith(() => ({}));
    expect(await stepWith('removePool', () => ({}))).toMatchObject({ progress: 'done' });
    await lookWith(() => ({}));
    expect(await templates()).toHaveLength(1);
    for (const _ of ['deletes', 'is repeated'])
      expect(await stepWith('removePool', () => ({}))).toMatchObject({ progress: 'done' });
    expect(await templates()).toEqual([]);
  });

  it('gets one version for a change if the response is lost and reads do not show it yet', async () => {
    await world.settle();
    await world.changeInfrastructure({ awsLaunchTemplate: { instanceType: 'm5.large' } });
    const [stale = []] = await Promise.all([
      world.dependencies.pools({} as never).templates.describe(['default.pool-0']),
    ]);
    const loses = lookWith(({ createVersion }) => ({
      createVersion: async (...all) => {
        await createVersion(...all);
        throw LOST;
      },
    }));
    await expect(loses).rejects.toThrow(LOST);
    expect(await numbers()).toEqual([1, 2]);
    await lookWith(() => ({ describe: async () => stale }));
    expect(await numbers()).toEqual([1, 2]);
    await world.settle();
    expect(await numbers()).toEqual([1, 2]);
  });

  it('is recreated with the same content after its deletion', async () => {
    await world.settle();
    const [{ LaunchTemplateId } = {}] = await templates();
    const contents = async () => (await world.versions()).map(({ LaunchTemplateData }) => LaunchTemplateData);
    const before = await contents();
    await world.ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateId }));
    await world.pass(700);
    await world.settle();
    const [made] = await templates();
    expect(made?.LaunchTemplateId).not.toBe(LaunchTemplateId);
    expect(before).toHaveLength(1);
    expect(await contents()).toEqual(before);
  });

  it('gets a version for each change, even for one that reverts another', async () => {
    await world.settle();
    for (const instanceType of ['m5.large', 't3.large', 'm5.large']) {
      await world.changeInfrastructure({ awsLaunchTemplate: { instanceType } });
      await world.look();
    }
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });

  it('and its instances are kept if version 0.1 recorded the template', async () => {
    let made: DesiredTemplate | undefined;
    await lookWith(({ create }) => ({
      create: (template, token) => {
        made = template;
        return create(template, token);
      },
    }));
    await world.settle();
    const recordedShape = async () => recordedTemplate(await world.infrastructure())?.shape;
    const shape = await recordedShape();
    const formerly = (pool: AWSMachinePool) => {
      const recorded = recordedTemplate(pool);
      return recorded && made?.former && withTemplate(pool, { ...recorded, ...made.former[0] });
    };
    await world.objects.mutate(kinds.awsMachinePool, KEY, formerly);
    expect(await recordedShape()).not.toBe(shape);
    await world.pass(700);
    const calls = await world.callsOf(() => world.settle());
    expect(calls.filter((call) => !call.includes(':Describe'))).toEqual([]);
    expect(await recordedShape()).toBe(shape);
  });
});
