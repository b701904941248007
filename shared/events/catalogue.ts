export type EventType = 'Normal' | 'Warning';

/** The documentation of one reason. */
export interface EventReason<T extends EventType = EventType> {
  type: T;
  /**
   * When it is recorded: one sentence for each kind of object that it is recorded on. The core knows no provider, so it
   * names the part that an object plays (`ControlPlane`, `BootstrapConfig`, `InfrastructureMachineTemplate`) where any
   * kind may play it.
   */
  on: Readonly<Record<string, string>>;
}

/** The reasons of the events that a folder records. */
export type EventCatalogue = Readonly<Record<string, EventReason>>;

/** The names of a catalogue's reasons of one type. */
export type ReasonOf<C extends EventCatalogue, T extends EventType> = {
  [R in keyof C & string]: C[R]['type'] extends T ? R : never;
}[keyof C & string];

/** A reason that says what was done or has changed. */
export const normal = (on: EventReason['on']): EventReason<'Normal'> => ({ type: 'Normal', on });

/** A reason that needs attention. */
export const warning = (on: EventReason['on']): EventReason<'Warning'> => ({ type: 'Warning', on });

type CallReasons<Call extends string> = Record<`Successful${Call}`, EventReason<'Normal'>> &
  Record<`Failed${Call}`, EventReason<'Warning'>>;

/**
 * The two reasons of each call to a cloud, with the names of Cluster API's AWS provider: `SuccessfulCreateVPC` and
 * `FailedCreateVPC`. `calls` describes the purpose of each call, in words that follow "to": `create the VPC`.
 */
export const callReasons = <Call extends string>(
  onKinds: readonly string[],
  calls: Readonly<Record<Call, string>>,
): CallReasons<Call> => {
  const on = (sentence: string) => Object.fromEntries(onKinds.map((kind) => [kind, sentence]));
  const reasons = Object.entries<string>(calls).flatMap(([call, purpose]) => [
    [`Successful${call}`, normal(on(`A call to ${purpose} succeeded.`))],
    [`Failed${call}`, warning(on(`A call to ${purpose} failed.`))],
  ]);
  // Object.fromEntries loses the types of the names.
  return Object.fromEntries(reasons) as CallReasons<Call>;
};
