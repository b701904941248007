/**
 * The course of a scenario: everything that its random numbers decide. It is recorded, so that a scenario can be
 * repeated without some of its happenings while all others keep their places.
 */
import { seededNumbers } from '../../../shared/seeded-random.ts';
import type { Dice } from './change.ts';

/** Something that happened. */
interface Happening {
  /** The index of the turn in which it happened. */
  turn: number;
  /** The number of the moment within the turn, from 1 on. */
  moment: number;
  /** The random numbers that determined it. */
  numbers: readonly number[];
}

export interface Course {
  /** The random numbers of each turn, which determine its duration, and whether a pass or machines continue. */
  turns: readonly (readonly number[])[];
  happenings: readonly Happening[];
}

/** Determines the course of a scenario. */
export interface Director {
  /** Begins a turn, whose random numbers it returns. Undefined if there are no more turns. */
  turn(): Dice | undefined;
  /**
   * Called at each moment at which something may happen: between the accesses of a step to the objects, or at the end of
   * a turn. `happen` returns whether something has happened.
   */
  moment(when: 'within a step' | 'at the end', happen: (dice: Dice) => boolean): void;
  course(): Course;
}

const MOST_TURNS = 160;
/** The odds that something happens at a moment, as one in this many. */
const ODDS = { 'within a step': 400, 'at the end': 12 };

const diceOf = (next: () => number): Dice => ({
  roll: (sides) => Math.floor(next() * sides),
  one: (items) => items[Math.floor(next() * items.length)],
});

const recording = (next: () => number, numbers: number[]): Dice =>
  diceOf(() => {
    const number = next();
    numbers.push(number);
    return number;
  });

/** A random course, with 3 to 12 happenings. */
export const randomDirector = (next: () => number): Director => {
  const dice = diceOf(next);
  const wanted = 3 + dice.roll(10);
  const turns: number[][] = [];
  const happenings: Happening[] = [];
  let moments = 0;
  return {
    turn: () => {
      if (turns.length >= MOST_TURNS || happenings.length >= wanted) return undefined;
      const numbers: number[] = [];
      turns.push(numbers);
      moments = 0;
      return recording(next, numbers);
    },
    moment: (when, happen) => {
      moments += 1;
      if (happenings.length >= wanted || dice.roll(ODDS[when]) > 0) return;
      const numbers: number[] = [];
      if (happen(recording(next, numbers))) happenings.push({ turn: turns.length - 1, moment: moments, numbers });
    },
    course: () => ({ turns, happenings }),
  };
};

/** Repeats numbers, followed by others if more are needed: without a happening, there may be more machines. */
const repeating = (numbers: readonly number[], seed: number): Dice => {
  const others = seededNumbers(seed);
  let index = 0;
  return diceOf(() => {
    index += 1;
    return numbers[index - 1] ?? others();
  });
};

/**
 * Repeats a course, or what is left of it. A happening whose moment no longer exists happens at the end of its turn.
 */
export const repeatingDirector = (course: Course): Director => {
  let turn = -1;
  let moments = 0;
  let coming: readonly Happening[] = [];
  return {
    turn: () => {
      turn += 1;
      moments = 0;
      coming = course.happenings.filter((one) => one.turn === turn);
      const numbers = course.turns[turn];
      return numbers && repeating(numbers, turn + 1);
    },
    moment: (when, happen) => {
      moments += 1;
      const isNow = ({ moment }: Happening) => when === 'at the end' || moment <= moments;
      const now = coming.filter(isNow);
      coming = coming.filter((one) => !isNow(one));
      for (const { numbers } of now) happen(repeating(numbers, turn + 1));
    },
    course: () => course,
  };
};
