import type { StandInService } from './server.mjs';

export declare function createOpenai(cache: object): Omit<StandInService, 'message'>;
