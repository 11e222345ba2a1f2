// Bundles the host suite for a debugger. `npm test` bundles it by itself.
import { buildHostSuite } from '../test/vscode/harness/hostSuite.mjs';

await buildHostSuite();
