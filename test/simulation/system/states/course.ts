/** The course of a lifecycle: its states are recorded, or compared with recorded ones. */

import type { Notes } from '../notes.ts';
import type { WatchedWorld } from '../watched-world.ts';
import { makeStateReader } from './moments.ts';
import { type Moment, makeRejoin } from './rejoin.ts';
import type { ServiceMirror } from './service-mirror.ts';

/** The function of the API, which also serves the user who waits for the end of a step. */
const OF_USERS = 'Windlass-api';

export interface CourseOptions {
  watched: WatchedWorld;
  notes: Notes;
  services: ServiceMirror;
  /** Whether the states are recorded. */
  isRecorded: boolean;
  /** Whether the states are compared: the fault has occurred, and is over. */
  isCompared(): boolean;
  /** The states of the lifecycle without faults. */
  expected: readonly Moment[];
}

export interface Course {
  /** Must be called when the process is quiet, with the current step. */
  look(step: string): void;
  /** The recorded states. */
  readonly moments: readonly Moment[];
  /** The state at which the lifecycle has rejoined the one without faults. */
  readonly rejoined: Moment | undefined;
}

export const makeCourse = ({ watched, notes, services, isRecorded, isCompared, expected }: CourseOptions): Course => {
  const { account, laptop } = watched.world;
  const read = makeStateReader({
    account,
    executions: () => laptop.runtime.executions(),
    running: () => watched.running().filter((name) => !name.startsWith(OF_USERS)),
    services,
  });
  const rejoin = makeRejoin(expected);
  const moments: Moment[] = [];
  let rejoined: Moment | undefined;
  let ended = -1;
  return {
    moments,
    get rejoined() {
      return rejoined;
    },
    look: (step) => {
      const isNews = watched.ended() !== ended;
      if (!isNews || rejoined !== undefined || !(isRecorded || isCompared())) return;
      ended = watched.ended();
      const hash = read();
      if (hash === undefined) return;
      if (isRecorded) moments.push({ hash, step, calls: watched.calls(), seconds: notes.elapsed() });
      else rejoined = rejoin.see(step, hash);
    },
  };
};
