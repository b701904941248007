/** `1 Machine`, `3 Machines`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** A list of names; if there are many, the first ones and the last. */
export const some = (names: readonly string[], most = 5): string => {
  if (names.length <= most) return names.join(', ');
  return `${names.slice(0, most - 1).join(', ')} ... ${names.at(-1)}`;
};
