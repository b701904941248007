/** The start of a machine's tests: a new world for each of them, whose machine is `KEY`. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import type { AWSMachine } from '../../shared/kinds/index.ts';
import { startTestDatabase, type TestDatabase } from '../../shared/store/test-table.ts';
import { type MachineWorld, startMachineWorld } from './world.ts';

export const KEY = { namespace: 'default', name: 'm-1' };

/** The context of a step's invocation. */
export const context = {
  log: { info() {}, warn() {}, error() {}, with: () => context.log },
} as never as Parameters<ReturnType<typeof makeInstanceSteps>['launchInstance']>[1];

interface Setting {
  zones?: number;
  /** Of the AWSMachine. */
  spec?: Partial<AWSMachine['spec']>;
}

/** Calls `enter` with a new world before each test, and closes it afterwards. */
export const forEachTest = (enter: (world: MachineWorld) => void, { zones, spec }: Setting = {}): void => {
  let database: TestDatabase;
  let world: MachineWorld;
  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    world = await startMachineWorld(database, zones, spec);
    enter(world);
  });
  afterEach(() => world.close());
};
