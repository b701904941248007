import { describeLives } from './lives.ts';

describeLives(0);
