import type { StandInService } from './server.mjs';

export declare function createAnthropic(cache: object): Omit<StandInService, 'response'>;
