import { authorizer } from './authorizer.ts';
import { conversions } from './conversions.ts';
import { kubernetes } from './kubernetes.ts';
import { lists } from './lists.ts';
import { operators } from './operators.ts';
import type { Overloads } from './overloads.ts';
import { text } from './text.ts';
import { time } from './time.ts';

/** All functions that rules can call. */
export const OVERLOADS: Overloads = {
  ...operators,
  ...conversions,
  ...text,
  ...lists,
  ...time,
  ...kubernetes,
  ...authorizer,
};
