/** The prices that commands use. */
import { readFileSync } from 'node:fs';
import { readPriceFile } from '../../shared/providers/aws/plan/cost/price-file.ts';
import type { PriceList } from '../../shared/providers/aws/plan/cost/prices.ts';
import { LIST_PRICES } from '../../shared/providers/aws/plan/cost/us-east-1.ts';

/** The list prices of AWS, overridden by those in a file. Throws an Error with the file's name and problem. */
export const readPrices = (file: string | undefined): readonly PriceList[] => {
  if (file === undefined || file === '') return [LIST_PRICES];
  try {
    return [readPriceFile(readFileSync(file, 'utf8')), LIST_PRICES];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`the file of prices ${file}: ${code === 'ENOENT' ? 'there is no such file' : message}`);
  }
};
