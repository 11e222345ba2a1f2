import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from './run.mjs';
import { step, UserError } from './say.mjs';

/**
 * Installs the npm packages of `folder` if its lock file differs from the installed packages. Imports nothing from npm.
 */
export async function ensureDependencies(folder, title) {
  if (areInstalled(folder)) return;
  const modules = path.join(folder, 'node_modules');
  if (existsSync(modules) && lstatSync(modules).isSymbolicLink()) {
    throw new UserError(
      `${modules} is a link to packages that don't fit package-lock.json: run 'npm ci' where it points to.`,
    );
  }
  await step(`Installing ${title}`, () => npm(['ci'], { cwd: folder }));
}

/**
 * npm lists the installed packages in node_modules/.package-lock.json. Optional packages are for some platforms only.
 */
function areInstalled(folder) {
  const wanted = readLock(path.join(folder, 'package-lock.json'));
  const found = readLock(path.join(folder, 'node_modules/.package-lock.json'));
  if (!wanted || !found) return false;
  return Object.entries(wanted).every(([name, { version, optional, devOptional, peer }]) => {
    if (name === '' || optional || devOptional || peer) return true;
    return found[name]?.version === version;
  });
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
