/** The figures that `npm run bench` measures, and how they are shown. */

/** In seconds, and in megabytes of 1024² bytes. */
export interface Figures {
  readySeconds: number;
  /** The apply itself, including all objects. */
  applySeconds: number;
  /** From the end of the apply. */
  availableSeconds: number;
  /** Without the simulated boot. */
  oursSeconds: number;
  scaleSeconds: number;
  deleteSeconds: number;
  residentMegabytes: number;
}

/** The simulated boot time of a machine during the measurement. */
export const BOOT_SECONDS = 2;

/** The number of workers to which the cluster is scaled. */
export const WORKERS = 5;

/** The agreed limits. */
const LIMITS: Partial<Figures> = { readySeconds: 6, availableSeconds: 10, oursSeconds: 4, residentMegabytes: 600 };

const TITLES: Readonly<Record<keyof Figures, [title: string, unit: string]>> = {
  readySeconds: ['npm start is ready, synthesized before', 's'],
  applySeconds: ['quickstart: apply of its seven objects', 's'],
  availableSeconds: [`quickstart: from applied to Available (boot ${BOOT_SECONDS} s)`, 's'],
  oursSeconds: ['of which ours', 's'],
  scaleSeconds: [`scale to ${WORKERS} workers (boot ${BOOT_SECONDS} s)`, 's'],
  deleteSeconds: ['delete until nothing is left', 's'],
  residentMegabytes: ['resident memory at the end', 'MB'],
};

/** The figures as a readable table. */
export const tableOf = (figures: Figures): string =>
  (Object.keys(TITLES) as (keyof Figures)[])
    .map((key) => {
      const [title, unit] = TITLES[key];
      const limit = LIMITS[key] === undefined ? '' : `at most ${LIMITS[key]} ${unit}`;
      const value = unit === 's' ? figures[key].toFixed(1) : String(figures[key]);
      return `${title.padEnd(52)}${value.padStart(8)} ${unit.padEnd(4)}${limit}`.trimEnd();
    })
    .join('\n');
