import { describeLives } from './lives.ts';

describeLives(1);
