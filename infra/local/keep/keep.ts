/** The directory of `--keep`. */
import { join } from 'node:path';
import { openVault, type Vault } from './vault.ts';

export interface Keep {
  directory: string;
  vault: Vault;
  /** The directory of the tables. */
  tables: string;
  /** Whether an earlier start has kept something here. */
  isRestored: boolean;
}

/** Throws an Error that names the file that cannot be used and what to do. */
export const openKeep = (directory: string): Keep => {
  const vault = openVault(directory);
  return {
    directory,
    vault,
    tables: join(directory, 'tables'),
    isRestored: vault.names('').length > 0,
  };
};
