/** A cluster in its desired state must not depend on the sweep: anything that it finds was missed before. */
import type { World } from '../world.ts';

/** Executions that the sweep has started begin within this time. */
const BEGIN_MILLISECONDS = 5_000;

/** Runs a sweep after a step without faults. It must not start anything. */
export const sweepBreaches = async (
  { laptop: { runtime } }: World,
  step: string,
  wait: (milliseconds: number) => Promise<void>,
): Promise<string[]> => {
  const before = new Set(runtime.executions());
  await runtime.invoke('Windlass-drift', {});
  await wait(BEGIN_MILLISECONDS);
  const started = runtime.executions().filter((execution) => !before.has(execution));
  const names = started.map(({ machineArn }) => machineArn.split(':').at(-1));
  return names.length > 0 ? [`after "${step}", the sweep started ${names.join(', ')}`] : [];
};
