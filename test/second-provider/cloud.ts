/** The second provider's rack as a sweep sees it, and its events. */
import type { EventPort } from '../../functions/providers/event-port.ts';
import type { SweepPort } from '../../functions/providers/sweep-port.ts';
import type { InfrastructureMachine } from '../../shared/kinds/infrastructure.ts';
import type { KnownMachine, StateFinding } from '../../shared/plan/drift/finding.ts';
import { plain } from './infrastructure.ts';
import type { PlainMachine } from './kinds.ts';
import type { Rack } from './steps.ts';

const stateOf = (machine: InfrastructureMachine) => (machine as PlainMachine).status?.state;

const nameOf = (machine: InfrastructureMachine): string => plain.instance(machine).name ?? '';

/** A machine that runs according to the record, but whose instance is no longer in the rack. */
const lossOf = (rack: Pick<Rack, 'instances'>, known: KnownMachine): StateFinding | undefined => {
  const { machine, cluster, infrastructure } = known;
  const name = nameOf(infrastructure);
  if (stateOf(infrastructure) !== 'running' || rack.instances.has(name)) return undefined;
  return {
    ...{ machine, cluster, infrastructure, isLost: true },
    event: { type: 'Warning', reason: 'InstanceLost', message: `the rack has no instance ${name}` },
    apply: (current) => {
      const status = { ...current.status, state: 'lost', ready: false };
      return stateOf(current) === 'running' ? { ...current, status } : undefined;
    },
    isRecorded: (current) => stateOf(current) === 'lost',
  };
};

/** The complete rack answers at once. Names of instances contain the mark of their cluster. */
export const plainSweep = (rack: Pick<Rack, 'instances'>): SweepPort => ({
  look: async ({ clusters, machines }) => ({
    parts: [{ clusters, machines, infrastructureDrift: async () => [] }],
    announcements: () => ({ give: [], withdraw: [] }),
    compareState: (known) => {
      const finding = lossOf(rack, known);
      return { known, ...(finding ? { finding } : {}) };
    },
    differences: async () => [],
    unknownInstances: (looked) => {
      const known = new Set(machines.map(({ infrastructure }) => nameOf(infrastructure)));
      const strays = [...rack.instances.keys()].filter((name) => !known.has(name));
      return looked.flatMap(({ cluster: { metadata } }) =>
        strays
          .filter((name) => name.startsWith(`${metadata.name}-stray`))
          .map((name) => ({
            cluster: { namespace: metadata.namespace ?? '', name: metadata.name },
            message: `no Machine has instance ${name}`,
            terminate: {
              reason: 'RemoveInstance',
              call: async () => {
                rack.instances.delete(name);
                return `Removed ${name}`;
              },
            },
          })),
      );
    },
  }),
});

interface RackEvent {
  rack: 'lost' | 'maintenance';
  instance: string;
  at: string;
}

const isRackEvent = (event: unknown): event is RackEvent =>
  typeof event === 'object' && event !== null && 'rack' in event;

/** An instance is gone, or will be at a known time. */
export const plainEvents = (rack: Pick<Rack, 'instances'>): EventPort => ({
  read: (event) => {
    if (!isRackEvent(event)) return undefined;
    const { instance: instanceId, at } = event;
    if (event.rack === 'lost') {
      const look = async (known: KnownMachine) => [lossOf(rack, known)].filter((found) => found !== undefined);
      return { instances: [{ kind: 'state', instanceId, look }] };
    }
    const notice = { reason: 'ScheduledMaintenance', at, deadline: at, by: 'the rack', id: `rack-${at}` } as const;
    return { instances: [{ kind: 'notice', instanceId, notice }] };
  },
});
