import type { StandInService } from './server.mjs';

export declare function createOpenai(): Omit<StandInService, 'message'>;
