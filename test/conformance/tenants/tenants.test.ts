/**
 * The editor of one namespace attacks the tenants of others, on the whole laptop. Each attempt is refused with a
 * specific message, or admitted and harmless. After each attempt and a sweep, everything that belongs to the other
 * tenant is unchanged.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Attack } from './attack.ts';
import { ADMISSION } from './attacks/admission.ts';
import { CLUSTERS } from './attacks/clusters.ts';
import { KUBECONFIGS } from './attacks/kubeconfigs.ts';
import { REFERENCES } from './attacks/references.ts';
import { type Belongings, belongingsOf } from './victim.ts';
import { refusalOf, startWorld, type World } from './world.ts';

let world: World;
let before: Belongings;

beforeAll(async () => {
  world = await startWorld();
  before = await belongingsOf(world.laptop);
});
afterAll(async () => {
  world?.mallory.close();
  await world?.laptop.stop();
});

const attempt = async ({ refused, harmless }: Attack): Promise<void> => {
  if (refused) expect(await refusalOf(refused.request(world))).toMatch(refused.by);
  await harmless?.(world);
};

describe('mallory, who may edit a namespace,', () => {
  it.each([...ADMISSION, ...REFERENCES, ...CLUSTERS, ...KUBECONFIGS])('$what', async (attack) => {
    await attempt(attack);
    await world.laptop.runtime.invoke('Windlass-drift', {});
    expect(await belongingsOf(world.laptop)).toEqual(before);
  });
});
