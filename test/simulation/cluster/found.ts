/** Seeds of random lives that once broke something, each with what it found. They are played in every `npm test`. */
export const FOUND: readonly { seed: number; what: string }[] = [
  {
    seed: 1617,
    what: 'machines of a control plane that joined while nobody saw it: another one initialized a second cluster',
  },
];
