/** The course of a lifecycle: the states that it goes through, which are recorded, or compared with recorded ones. */

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
  /** Whether it is recorded. */
  isRecorded: boolean;
  /** Whether it is compared: it has had its fault, which is over. */
  isCompared(): boolean;
  /** That of the lifecycle without faults. */
  expected: readonly Moment[];
}

export interface Course {
  /** To be called when the process is quiet, with the current step. */
  look(step: string): void;
  /** What was recorded. */
  readonly moments: readonly Moment[];
  /** Where it has rejoined the lifecycle without faults. */
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
