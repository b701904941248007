import type { UnitEntry } from './config.ts';

/** A unit as systemd combines it from its file and its drop-ins: `Section.Key` with all values, in order. */
export type Unit = ReadonlyMap<string, readonly string[]>;

/** Parses the text of a unit into `values`. An empty value resets the previous ones. */
const readInto = (values: Map<string, string[]>, text: string): void => {
  let section = '';
  for (const raw of text.replaceAll(/\\\n\s*/g, ' ').split('\n')) {
    const line = raw.trim();
    if (line === '' || /^[#;]/.test(line)) continue;
    const header = /^\[(.+)\]$/.exec(line);
    if (header) {
      section = header[1] ?? '';
      continue;
    }
    const [, key = '', value = ''] = /^([^=]+?)\s*=\s*(.*)$/.exec(line) ?? [];
    const name = `${section}.${key}`;
    values.set(name, value === '' ? [] : [...(values.get(name) ?? []), value]);
  }
};

/** The units in configs, by name: the last text is used, and all drop-ins, sorted by name. */
export const joinUnits = (entries: readonly UnitEntry[]): { name: string; enabled: boolean; unit: Unit }[] => {
  const names = [...new Set(entries.map(({ name }) => name))];
  return names.map((name) => {
    const own = entries.filter((entry) => entry.name === name);
    const values = new Map<string, string[]>();
    readInto(values, own.findLast(({ contents }) => contents)?.contents ?? '');
    const dropins = new Map(
      own.flatMap(({ dropins: list = [] }) => list.map((dropin) => [dropin.name, dropin.contents])),
    );
    for (const [, text] of [...dropins].toSorted()) readInto(values, text ?? '');
    const isMasked = own.some(({ mask }) => mask);
    const enabled = own.findLast((entry) => (entry.enabled ?? entry.enable) !== undefined);
    return { name, enabled: !isMasked && (enabled?.enabled ?? enabled?.enable) === true, unit: values };
  });
};

/** The condition on a file that prevents a unit from starting; undefined if all conditions hold. */
export const unmetCondition = (unit: Unit, exists: (path: string) => boolean): string | undefined => {
  const condition = wordsOf(unit, 'Unit.ConditionPathExists').find(
    (word) => exists(word.replace(/^!/, '')) === word.startsWith('!'),
  );
  return condition && (condition.startsWith('!') ? `${condition.slice(1)} is there` : `there is no ${condition}`);
};

/** Words of all values of a list key, such as `Unit.After`. */
export const wordsOf = (unit: Unit, key: string): string[] =>
  (unit.get(key) ?? []).flatMap((value) => value.split(/\s+/).filter(Boolean));
