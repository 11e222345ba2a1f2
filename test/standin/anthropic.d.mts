import type { StandInService } from './server.mjs';

export declare function createAnthropic(): Omit<StandInService, 'response'>;
