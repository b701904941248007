import type { PlacedCatalogue } from '../../infra/cli/docs/event-catalogues.ts';
import { isTestCode, type Source, walk } from './source.ts';

const CATALOGUE = /(?:^|\/)reasons\.ts$/;

/**
 * The tables of calls and failures from which catalogues are built; the drivers beside them name the reasons that they
 * record.
 */
const isCatalogue = ({ path }: Source): boolean => CATALOGUE.test(path);

/** The names in a source: its strings, and the keys of its tables. */
const namesIn = ({ program }: Source): string[] =>
  [...walk(program)].flatMap((node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') return [node.value];
    const key = node.type === 'Property' ? (node.key as { name?: string }).name : undefined;
    return key === undefined ? [] : [key];
  });

/** The parts of composed reasons: `SuccessfulCreateVPC` from `CreateVPC`, `SubnetsReadyWarning` from `SubnetsReady`. */
const stemsOf = (reason: string): string[] => [
  reason,
  reason.replace(/^(?:Successful|Failed)/, ''),
  reason.replace(/Warning$/, ''),
];

/** Reasons in a catalogue that none of its sources names. */
export const unrecordedReasons = ({ reasons, recordedIn }: PlacedCatalogue, sources: readonly Source[]): string[] => {
  const own = sources.filter(
    (source) =>
      !isTestCode(source) && !isCatalogue(source) && recordedIn.some((place) => source.path.startsWith(place)),
  );
  const named = new Set(own.flatMap(namesIn));
  return Object.keys(reasons).filter((reason) => !stemsOf(reason).some((stem) => named.has(stem)));
};

/**
 * Code that records events without a catalogue. The functions of the sweep and of EC2's events have their own lists.
 */
const UNCATALOGUED = /^functions\/(?:drift|events|providers\/aws\/drift)\//;

/** The places where an event is recorded without a recorder. */
export const recorderProblems = (source: Source): string[] =>
  source.path.startsWith('functions/') &&
  !isTestCode(source) &&
  !UNCATALOGUED.test(source.path) &&
  source.text.includes('events/record.ts')
    ? [`${source.path}: record events by makeRecorder, with a catalogue of their reasons`]
    : [];
